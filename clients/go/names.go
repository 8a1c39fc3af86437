package kipimo

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// longestText is the longest name or text, in UTF-16 code units. Rule and vectors: clients/vectors/names.json.
const longestText = 256

func isControl(r rune) bool { return r < 0x20 || r >= 0x7f && r <= 0x9f }

func units(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

func isText(value string) bool {
	if value == "" || len(value) > 3*longestText || !utf8.ValidString(value) {
		return false
	}
	length := 0
	for _, r := range value {
		length += units(r)
		if isControl(r) {
			return false
		}
	}
	return length <= longestText
}

func isName(value string) bool { return isText(value) && !strings.Contains(value, "/") }

// cleaned is the nearest name: a character that no name may have, and a byte that is no UTF-8, becomes '_', and what is
// too long is cut between characters. It is empty if there is nothing to name.
func cleaned(value string) string {
	if isName(value) {
		return value
	}
	var name strings.Builder
	length := 0
	for len(value) > 0 {
		r, size := utf8.DecodeRuneInString(value)
		value = value[size:]
		if r == '/' || isControl(r) || r == utf8.RuneError && size == 1 {
			r = '_'
		}
		length += units(r)
		if length > longestText {
			break
		}
		name.WriteRune(r)
	}
	return name.String()
}

// identifier is a text that identifies the same thing: the text itself, or a digest of what is no text. It is empty if
// there is nothing to identify.
func identifier(value string) string {
	if value == "" || isText(value) {
		return value
	}
	// A byte that is no UTF-8 becomes U+FFFD.
	digest := sha256.Sum256([]byte(string([]rune(value))))
	return "sha256:" + hex.EncodeToString(digest[:16])
}
