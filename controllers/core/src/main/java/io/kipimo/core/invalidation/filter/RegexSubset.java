package io.kipimo.core.invalidation.filter;

import io.kipimo.core.invalidation.document.Value;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The regular expressions that mean the same to PCRE, which MongoDB matches with, and to Java. What
 * the two read differently (POSIX classes, brackets and && within classes, \K, inline x, ...) is
 * refused. Word boundaries are written out, since Java's are of Unicode letters and PCRE's of \w.
 */
final class RegexSubset {
    private static final String BOUNDARY = "(?:(?<=\\w)(?!\\w)|(?<!\\w)(?=\\w))";
    private static final String NO_BOUNDARY = "(?:(?<=\\w)(?=\\w)|(?<!\\w)(?!\\w))";

    private final Value.Regex regex;
    private final String at;
    private final String pattern;
    private final boolean isSpaced;
    private final StringBuilder out = new StringBuilder();
    private int groups;
    private int i;

    private RegexSubset(Value.Regex regex, String at) {
        this.regex = regex;
        this.at = at;
        this.pattern = regex.pattern();
        this.isSpaced = regex.options().indexOf('x') >= 0;
    }

    static Condition.Finds compile(Value.Regex regex, String at) {
        RegexSubset subset = new RegexSubset(regex, at);
        int flags = subset.flags();
        try {
            return new Condition.Finds(regex, Pattern.compile(subset.translated(), flags));
        } catch (PatternSyntaxException e) {
            throw subset.refused(e.getDescription() + " at " + e.getIndex());
        }
    }

    private int flags() {
        // PCRE's line ends with \n alone; its i is that of Unicode.
        int flags = Pattern.UNIX_LINES | Pattern.UNICODE_CASE;
        for (char option : regex.options().toCharArray()) {
            flags |=
                    switch (option) {
                        case 'i' -> Pattern.CASE_INSENSITIVE;
                        case 'm' -> Pattern.MULTILINE;
                        case 's' -> Pattern.DOTALL;
                        case 'x' -> Pattern.COMMENTS;
                        // Always on in MongoDB.
                        case 'u' -> 0;
                        default ->
                                throw new UnsupportedFilterException(
                                        "$options", at, "'" + option + "'; allowed: i, m, s, u, x");
                    };
        }
        return flags;
    }

    private String translated() {
        while (i < pattern.length()) {
            char c = pattern.charAt(i);
            switch (c) {
                case '\\' -> escape();
                case '[' -> charClass();
                case '(' -> group();
                case '\0' -> throw refused("a null character");
                default -> copy(1);
            }
        }
        return out.toString();
    }

    private void copy(int chars) {
        out.append(pattern, i, i + chars);
        i += chars;
    }

    private char peek(int ahead) {
        return i + ahead < pattern.length() ? pattern.charAt(i + ahead) : '\0';
    }

    private void escape() {
        char c = peek(1);
        if (c == 'b' || c == 'B') {
            out.append(c == 'b' ? BOUNDARY : NO_BOUNDARY);
            i += 2;
        } else if (c >= '1' && c <= '9') {
            if (c - '0' > groups || Character.isDigit(peek(2))) {
                throw refused("\\" + c + ": no group before it, or more than one digit");
            }
            copy(2);
        } else if (c == 'Q') {
            int end = pattern.indexOf("\\E", i);
            copy((end < 0 ? pattern.length() : end + 2) - i);
        } else if ("AzZ".indexOf(c) >= 0 && c != '\0') {
            copy(2);
        } else {
            escapedChar();
        }
    }

    /** Escapes that stand for a character or a set of them, within classes and without. */
    private void escapedChar() {
        char c = peek(1);
        boolean isLetterOrDigit = c < 0x80 && Character.isLetterOrDigit(c);
        if (c == 'x') {
            copy(hexLength());
        } else if (c != '\0' && (!isLetterOrDigit || "dDwWsStnrfea".indexOf(c) >= 0)) {
            copy(2);
        } else {
            throw refused("\\" + (c == '\0' ? "" : c) + " is not supported");
        }
    }

    private int hexLength() {
        int end = peek(2) == '{' ? pattern.indexOf('}', i) + 1 : i + 4;
        boolean isHex =
                end > i + 3
                        && end <= pattern.length()
                        && pattern.substring(i + 2, end).matches("\\{?[0-9a-fA-F]+\\}?");
        if (!isHex) {
            throw refused("\\x without two digits, or digits in braces");
        }
        return end - i;
    }

    private void charClass() {
        copy(peek(1) == '^' ? 2 : 1);
        if (peek(0) == ']') {
            throw refused("] as the first of a class; write \\]");
        }
        while (peek(0) != ']') {
            char c = peek(0);
            if (i >= pattern.length()) {
                throw refused("a class that is not closed");
            }
            if (c == '\\') {
                escapedChar();
            } else if (c == '[') {
                throw refused("[ within a class; write \\[");
            } else if (c == '&' && peek(1) == '&') {
                throw refused("&& within a class; write &");
            } else if (isSpaced && (Character.isWhitespace(c) || c == '#')) {
                throw refused("white space or # within a class, with option x; escape it");
            } else {
                copy(1);
            }
        }
        copy(1);
    }

    private void group() {
        if (peek(1) == '*') {
            throw refused("(* is not supported");
        }
        if (peek(1) != '?') {
            groups++;
            copy(1);
            return;
        }
        char kind = peek(2);
        boolean isLookBehind = kind == '<' && (peek(3) == '=' || peek(3) == '!');
        if (kind == '<' && !isLookBehind) {
            groups++;
            copy(3);
        } else if (":=!>".indexOf(kind) >= 0 || isLookBehind) {
            copy(isLookBehind ? 4 : 3);
        } else {
            inlineOptions();
        }
    }

    private void inlineOptions() {
        int end = i + 2;
        while (end < pattern.length() && "ims-".indexOf(pattern.charAt(end)) >= 0) {
            end++;
        }
        char last = end < pattern.length() ? pattern.charAt(end) : '\0';
        if (end == i + 2 || (last != ')' && last != ':')) {
            throw refused(pattern.substring(i, Math.min(i + 3, pattern.length())) + " in a group");
        }
        copy(end + 1 - i);
    }

    private UnsupportedFilterException refused(String what) {
        return new UnsupportedFilterException(
                "$regex", at, "/" + pattern + "/" + regex.options() + ": " + what);
    }
}
