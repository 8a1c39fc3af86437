package io.kipimo.schemas.field;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The rule for each {@link Text} and {@link Name}. Readers refuse a text that breaks the rule; emitters mend it.
 * Clients in other languages follow the same rule, with the test vectors {@code clients/vectors/names.json}.
 *
 * <p>A text has 1..{@value #LONGEST} UTF-16 code units, no control characters (U+0000..U+001F, U+007F..U+009F) and no
 * half of a surrogate pair. A name is a text without a slash.
 */
public final class Names {
    /** Longest name or text, UTF-16 code units. */
    public static final int LONGEST = 256;

    /** Replaces a refused character. */
    private static final char MENDED = '_';

    private static final char UNPRINTABLE = '?';
    private static final String DIGEST_PREFIX = "sha256:";
    private static final int DIGEST_BYTES = 16;

    private Names() {}

    public static boolean isName(String value) {
        return isText(value) && value.indexOf('/') < 0;
    }

    public static boolean isText(String value) {
        return !value.isEmpty() && value.length() <= LONGEST && hasOnlyCharacters(value);
    }

    /** Whether a text has no control characters and no half of a surrogate pair. True for an empty text. */
    public static boolean hasOnlyCharacters(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (!isCharacter(value, i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isCharacter(String value, int at) {
        char c = value.charAt(at);
        return !Character.isISOControl(c) && !isHalf(value, at, c);
    }

    private static boolean isHalf(String value, int at, char c) {
        if (Character.isHighSurrogate(c)) {
            return at + 1 == value.length() || !Character.isLowSurrogate(value.charAt(at + 1));
        }
        return Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(value.charAt(at - 1)));
    }

    /**
     * The nearest name: each character that no name may have becomes {@code _}, and a name that is too long is cut
     * between characters. A name stays as it is.
     *
     * @param value may be null
     * @return empty if there is nothing to name
     */
    public static String cleaned(String value) {
        if (value == null || value.isEmpty() || isName(value)) {
            return value == null ? "" : value;
        }
        String name = cut(value, LONGEST);
        StringBuilder out = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            out.append(c != '/' && isCharacter(name, i) ? c : MENDED);
        }
        return out.toString();
    }

    /**
     * The beginning of a text, cut between characters.
     *
     * @param most UTF-16 code units, at least 0
     */
    public static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        boolean splits = most > 0 && Character.isSurrogatePair(text.charAt(most - 1), text.charAt(most));
        return text.substring(0, splits ? most - 1 : most);
    }

    /** The text, or its beginning and a mark if it is longer than {@code most} code units. */
    public static String shortened(String text, int most, String mark) {
        return text.length() <= most ? text : cut(text, most) + mark;
    }

    /**
     * A text that identifies the same thing: the text itself if it is a valid text, otherwise a digest. All emitters
     * make the same digest, so results still match.
     *
     * @param value may be null
     * @return empty if there is nothing to identify
     */
    public static String identifier(String value) {
        if (value == null || value.isEmpty() || isText(value)) {
            return value == null ? "" : value;
        }
        return digest(value);
    }

    /** An identifier for an item without one, such as a document of which only the text is known. */
    public static String digest(String value) {
        // A half of a surrogate pair has no bytes of its own.
        StringBuilder whole = new StringBuilder(value);
        for (int i = 0; i < value.length(); i++) {
            if (isHalf(value, i, value.charAt(i))) {
                whole.setCharAt(i, '\ufffd');
            }
        }
        byte[] digest = sha256().digest(whole.toString().getBytes(StandardCharsets.UTF_8));
        return DIGEST_PREFIX + HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /**
     * The text for people: characters that control a terminal, change the direction of what follows, or end a line
     * become {@code ?}.
     */
    public static String printable(String value) {
        StringBuilder out = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            out.append(isCharacter(value, i) && !misleads(c) ? c : UNPRINTABLE);
        }
        return out.toString();
    }

    /**
     * The JSON text for people: characters that {@link #printable} replaces are escaped, so that strings keep their
     * meaning. Characters below U+0020, which occur only between values, stay.
     */
    public static String escapedJson(String json) {
        StringBuilder out = new StringBuilder(json.length());
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c >= ' ' && (!isCharacter(json, i) || misleads(c))) {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** Whether a character separates lines, or is a mark, embedding, override or isolate of text direction. */
    private static boolean misleads(char c) {
        return (c >= '\u2028' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069')
                || c == '\u200e'
                || c == '\u200f'
                || c == '\u061c';
    }
}
