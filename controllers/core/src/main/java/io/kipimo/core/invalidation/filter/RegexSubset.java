package io.kipimo.core.invalidation.filter;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.kipimo.schemas.field.Names;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Translates regular expressions of PCRE, which MongoDB uses, to RE2/J, as far as the meaning is the same. RE2/J reads
 * a text once, so the steps of matching are at most the length of the text times the number of the expression's
 * instructions. The translation uses only syntax of RE2/J that has PCRE's meaning: lines end with \n only, words and
 * digits are those of ASCII, case is that of Unicode ({@link CaseFolding}), and a dot matches one code point.
 *
 * <p>It refuses expressions that need backtracking (references to groups, look-ahead and look-behind, atomic groups,
 * possessive quantifiers), syntax that differs between versions of PCRE (POSIX classes, \K, comments in groups, ...),
 * and expressions that are too long.
 *
 * <p>Two anchors have no equivalent in RE2/J. PCRE's $ without option m also matches before a line feed at the end of
 * the text. The translation consumes that line feed, so the expression may have nothing after it. PCRE's ^ with option
 * m does not match after a line feed at the end of the text, so something that is not empty must follow it.
 */
final class RegexSubset {
    /** Longest expression that is accepted, in UTF-16 code units. */
    static final int LONGEST_PATTERN = 1_024;

    /** Limit of an expression's instructions; RE2/J visits them recursively. */
    static final int MOST_INSTRUCTIONS = 1_024;

    private static final int MOST_REPETITIONS = 1_000;
    private static final int MOST_LEVELS = 50;
    private static final int LONGEST_NAME = 32;
    private static final int LONGEST_SHOWN = 200;
    private static final String ALLOWED = "; allowed: expressions of PCRE of at most "
            + LONGEST_PATTERN
            + " characters, without looking ahead or behind, references to groups, atomic"
            + " groups and possessive quantifiers (docs/caching.md)";

    private static final int END_OF_CHARACTERS = Character.MAX_CODE_POINT + 1;
    private static final int TAB = 0x9;
    private static final int CARRIAGE_RETURN = 0xd;

    private final Value.Regex regex;
    private final String at;
    private final String pattern;
    private final Set<String> names = new HashSet<>();
    private final StringBuilder out = new StringBuilder();
    private boolean isSpaced;
    // Options in effect in the innermost group.
    private boolean isCaseless;
    private boolean isMultiline;
    private boolean isDotAll;
    private int i;

    /**
     * A part of an expression.
     *
     * @param instructions upper bound of its instructions
     * @param mayBeEmpty whether the part may match the empty text
     * @param isLast whether nothing may follow the part
     * @param needsMore whether something that is not empty must follow the part
     */
    private record RegexPart(long instructions, boolean mayBeEmpty, boolean isLast, boolean needsMore) {
        static final RegexPart EMPTY = new RegexPart(0, true, false, false);
        static final RegexPart CHARACTER = new RegexPart(1, false, false, false);
        static final RegexPart PLACE = new RegexPart(1, true, false, false);
        static final RegexPart END = new RegexPart(3, true, true, false);
        static final RegexPart LINE_START = new RegexPart(1, true, false, true);

        RegexPart then(RegexPart next) {
            return new RegexPart(
                    instructions + next.instructions,
                    mayBeEmpty && next.mayBeEmpty,
                    isLast || next.isLast,
                    next.needsMore || (needsMore && next.mayBeEmpty));
        }

        RegexPart or(RegexPart other) {
            return new RegexPart(
                    instructions + other.instructions + 1,
                    mayBeEmpty || other.mayBeEmpty,
                    isLast || other.isLast,
                    needsMore || other.needsMore);
        }

        /** @param most greatest number of repetitions; below 0 if there is no limit */
        RegexPart repeated(int least, int most) {
            long copies = most < 0
                    ? Math.max(1, least) * instructions + 2
                    : least * instructions + (most - least) * (instructions + 1) + 1;
            return new RegexPart(copies, mayBeEmpty || least == 0, isLast, needsMore);
        }
    }

    private RegexSubset(Value.Regex regex, String at) {
        this.regex = regex;
        this.at = at;
        this.pattern = unquoted(regex.pattern());
    }

    /** The pattern without \\Q and \\E, but with \\ before each character between them that needs it. */
    private static String unquoted(String pattern) {
        StringBuilder unquoted = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (pattern.startsWith(isQuoted ? "\\E" : "\\Q", i)) {
                isQuoted = !isQuoted;
                i++;
            } else if (isQuoted) {
                boolean isPlain = c >= 0x80 || Character.isLetterOrDigit(c);
                unquoted.append(isPlain ? "" : "\\").append(c);
            } else {
                unquoted.append(c);
                if (c == '\\' && i + 1 < pattern.length()) {
                    i++;
                    unquoted.append(pattern.charAt(i));
                }
            }
        }
        return unquoted.toString();
    }

    /** @throws UnsupportedFilterException naming the path and the expression, if it is refused */
    static Condition.Finds compile(Value.Regex regex, String at) {
        RegexSubset subset = new RegexSubset(regex, at);
        try {
            return new Condition.Finds(regex, Pattern.compile(subset.translated()));
        } catch (PatternSyntaxException e) {
            throw subset.refused(e.getDescription());
        }
    }

    private String translated() {
        if (regex.pattern().length() > LONGEST_PATTERN) {
            throw refused("it has " + regex.pattern().length() + " characters");
        }
        if (pattern.indexOf('\0') >= 0) {
            throw refused("a null character");
        }
        for (char option : regex.options().toCharArray()) {
            switch (option) {
                case 'i' -> isCaseless = true;
                case 'm' -> isMultiline = true;
                case 's' -> isDotAll = true;
                case 'x' -> isSpaced = true;
                // Always on in MongoDB.
                case 'u' -> {}
                default ->
                    throw new UnsupportedFilterException("$options", at, "'" + option + "'; allowed: i, m, s, u, x");
            }
        }
        RegexPart whole = alternatives(0);
        if (i < pattern.length()) {
            throw refused(") without a group");
        }
        if (whole.needsMore) {
            throw refused("^ with option m before what may be empty");
        }
        return out.toString();
    }

    private boolean isAt(char c) {
        return i < pattern.length() && pattern.charAt(i) == c;
    }

    private char peek(int ahead) {
        return i + ahead < pattern.length() ? pattern.charAt(i + ahead) : '\0';
    }

    private RegexPart alternatives(int level) {
        if (level > MOST_LEVELS) {
            throw refused("groups within groups, more than " + MOST_LEVELS + " deep");
        }
        RegexPart all = sequence(level);
        while (isAt('|')) {
            i++;
            out.append('|');
            all = bounded(all.or(sequence(level)));
        }
        return all;
    }

    private RegexPart sequence(int level) {
        RegexPart all = RegexPart.EMPTY;
        for (skipSpace(); i < pattern.length() && !isAt('|') && !isAt(')'); skipSpace()) {
            if (all.isLast) {
                throw refused("something after $ or \\Z, without option m");
            }
            all = bounded(all.then(element(level)));
        }
        return all;
    }

    private RegexPart bounded(RegexPart part) {
        if (part.instructions > MOST_INSTRUCTIONS) {
            throw refused("it takes more than "
                    + MOST_INSTRUCTIONS
                    + " instructions, repetitions counted as often as they may occur");
        }
        return part;
    }

    private void skipSpace() {
        while (isSpaced && i < pattern.length()) {
            char c = pattern.charAt(i);
            if (c == '#') {
                int end = pattern.indexOf('\n', i);
                i = end < 0 ? pattern.length() : end + 1;
            } else if ((c >= TAB && c <= CARRIAGE_RETURN) || c == ' ') {
                i++;
            } else if (Character.isWhitespace(c) || "\u0085\u200e\u200f".indexOf(c) >= 0) {
                throw refused("white space that is not ASCII, with option x");
            } else {
                return;
            }
        }
    }

    /** Translates one element and its quantifier, if it has one. */
    private RegexPart element(int level) {
        char c = peek(0);
        return switch (c) {
            case '\\' -> escape();
            case '(' -> group(level);
            case '[' -> {
                charClass();
                yield quantified(RegexPart.CHARACTER);
            }
            case '.' -> {
                i++;
                out.append(isDotAll ? "(?s:.)" : "[^\\n]");
                yield quantified(RegexPart.CHARACTER);
            }
            case '^' -> {
                i++;
                yield isMultiline ? place("(?m:^)", RegexPart.LINE_START) : place("\\A", RegexPart.PLACE);
            }
            case '$' -> {
                i++;
                yield isMultiline ? place("(?m:$)", RegexPart.PLACE) : place("(?:\\n?\\z)", RegexPart.END);
            }
            case '*', '+', '?', '{' -> throw refused(c + " after nothing that can be repeated");
            default -> {
                literal(character());
                yield quantified(RegexPart.CHARACTER);
            }
        };
    }

    private RegexPart place(String translation, RegexPart part) {
        out.append(translation);
        return part;
    }

    private RegexPart escape() {
        char c = peek(1);
        RegexPart place =
                switch (c) {
                    case 'b', 'B', 'A', 'z' -> place("\\" + c, RegexPart.PLACE);
                    case 'Z' -> place("(?:\\n?\\z)", RegexPart.END);
                    default -> null;
                };
        if (place != null) {
            i += 2;
            return place;
        }
        if (c >= '1' && c <= '9') {
            throw refused("\\" + c + " refers to a group");
        }
        BitSet set = escapedSet();
        if (set == null) {
            literal(escapedCharacter());
        } else {
            write(set);
        }
        return quantified(RegexPart.CHARACTER);
    }

    /** Reads \\d, \\w, \\s or their opposites and returns their characters; null at other escapes. */
    private BitSet escapedSet() {
        BitSet set = new BitSet();
        switch (Character.toLowerCase(peek(1))) {
            case 'd' -> set.set('0', '9' + 1);
            case 's' -> {
                set.set(TAB, CARRIAGE_RETURN + 1);
                set.set(' ');
            }
            case 'w' -> {
                set.set('0', '9' + 1);
                set.set('A', 'Z' + 1);
                set.set('_');
                set.set('a', 'z' + 1);
            }
            default -> {
                return null;
            }
        }
        if (Character.isUpperCase(peek(1))) {
            set.flip(0, END_OF_CHARACTERS);
        }
        i += 2;
        return set;
    }

    /** Reads an escape for one character, inside or outside of character classes. */
    private int escapedCharacter() {
        char c = peek(1);
        if (c == 'x') {
            return hexadecimal();
        }
        boolean isLetterOrDigit = c < 0x80 && Character.isLetterOrDigit(c);
        if (c != '\0' && !isLetterOrDigit) {
            i++;
            return character();
        }
        int named = "tnrfea".indexOf(c);
        if (c == '\0' || named < 0) {
            throw refused("\\" + (c == '\0' ? "" : c) + " is not supported");
        }
        i += 2;
        return "\t\n\r\f\u001b\u0007".charAt(named);
    }

    private int hexadecimal() {
        boolean isBraced = peek(2) == '{';
        int first = isBraced ? i + 3 : i + 2;
        int last = isBraced ? pattern.indexOf('}', i) : i + 4;
        boolean isHex = last > first
                && last <= pattern.length()
                && pattern.substring(first, last).matches("0*[0-9a-fA-F]{1,6}");
        int c = isHex ? Integer.parseInt(pattern.substring(first, last), 16) : -1;
        if (!isHex || c >= END_OF_CHARACTERS || isSurrogate(c)) {
            throw refused("\\x without two digits, or those of a character in braces");
        }
        i = isBraced ? last + 1 : last;
        return c;
    }

    private static boolean isSurrogate(int c) {
        return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }

    private int character() {
        int c = pattern.codePointAt(i);
        if (isSurrogate(c)) {
            throw refused("half a surrogate pair");
        }
        i += Character.charCount(c);
        return c;
    }

    private void literal(int c) {
        BitSet set = new BitSet();
        set.set(c);
        if (isCaseless) {
            CaseFolding.close(set);
        }
        if (set.cardinality() > 1) {
            write(set);
        } else {
            write(c);
        }
    }

    private void write(int c) {
        if (c < 0x80 && !Character.isLetterOrDigit(c)) {
            out.append("\\x{").append(Integer.toHexString(c)).append('}');
        } else {
            out.appendCodePoint(c);
        }
    }

    private void write(BitSet set) {
        if (set.isEmpty()) {
            out.append("[^\\x{0}-\\x{10ffff}]");
            return;
        }
        out.append('[');
        for (int first = set.nextSetBit(0); first >= 0; ) {
            int end = set.nextClearBit(first);
            write(first);
            if (end - 1 > first) {
                out.append('-');
                write(end - 1);
            }
            first = set.nextSetBit(end);
        }
        out.append(']');
    }

    private void charClass() {
        i++;
        boolean isNegated = isAt('^');
        i += isNegated ? 1 : 0;
        if (isAt(']')) {
            throw refused("] as the first of a class; write \\]");
        }
        BitSet set = new BitSet();
        BitSet sets = new BitSet();
        while (!isAt(']')) {
            BitSet escaped = isAt('\\') ? escapedSet() : null;
            boolean isRange = isAt('-') && peek(1) != ']';
            if (escaped != null && isRange) {
                throw refused("a range from a set of characters; write \\-");
            }
            if (escaped != null) {
                sets.or(escaped);
            } else {
                range(set);
            }
        }
        i++;
        if (isCaseless) {
            CaseFolding.close(set);
        }
        // Sets are added after case folding, as they do not depend on case.
        set.or(sets);
        if (isNegated) {
            set.flip(0, END_OF_CHARACTERS);
        }
        write(set);
    }

    /** Reads one character or a range of characters of a class, and adds it to the set. */
    private void range(BitSet set) {
        int first = classCharacter();
        int last = first;
        if (isAt('-') && peek(1) != ']') {
            i++;
            if (isAt('\\') && escapedSet() != null) {
                throw refused("a range to a set of characters; write \\-");
            }
            last = classCharacter();
        }
        if (last < first) {
            throw refused("a range that ends before it begins");
        }
        set.set(first, last + 1);
    }

    private int classCharacter() {
        if (i >= pattern.length()) {
            throw refused("a class that is not closed");
        }
        if (isAt('[')) {
            throw refused("[ within a class; write \\[");
        }
        return isAt('\\') ? escapedCharacter() : character();
    }

    private RegexPart group(int level) {
        boolean wasCaseless = isCaseless;
        boolean wasMultiline = isMultiline;
        boolean wasDotAll = isDotAll;
        if (beginsOptions()) {
            return RegexPart.EMPTY;
        }
        out.append("(?:");
        RegexPart inner = alternatives(level + 1);
        if (!isAt(')')) {
            throw refused("a group that is not closed");
        }
        i++;
        out.append(')');
        isCaseless = wasCaseless;
        isMultiline = wasMultiline;
        isDotAll = wasDotAll;
        return quantified(inner);
    }

    /** Reads the beginning of a group; true if it only sets options for the rest. */
    private boolean beginsOptions() {
        if (peek(1) == '*') {
            throw refused("(* is not supported");
        }
        if (peek(1) != '?') {
            i++;
            return false;
        }
        if (peek(2) == ':') {
            i += 3;
            return false;
        }
        if (peek(2) == '<' && peek(3) != '=' && peek(3) != '!') {
            name();
            return false;
        }
        return options();
    }

    private void name() {
        int end = pattern.indexOf('>', i);
        String name = end < 0 ? "" : pattern.substring(i + 3, end);
        boolean isName = name.length() <= LONGEST_NAME && name.matches("[A-Za-z_][A-Za-z0-9_]*");
        if (!isName || !names.add(name)) {
            throw refused("(?<" + name + "> is no name, or is there twice");
        }
        i = end + 1;
    }

    private boolean options() {
        int end = i + 2;
        boolean isOn = true;
        for (; "ims-".indexOf(peek(end - i)) >= 0 && peek(end - i) != '\0'; end++) {
            switch (peek(end - i)) {
                case 'i' -> isCaseless = isOn;
                case 'm' -> isMultiline = isOn;
                case 's' -> isDotAll = isOn;
                default -> isOn = refusedUnless(isOn, end);
            }
        }
        char last = peek(end - i);
        boolean isGiven = end > i + 2 && peek(end - 1 - i) != '-';
        if (!isGiven || (last != ')' && last != ':')) {
            throw refused(pattern.substring(i, Math.min(i + 4, pattern.length())) + " in a group");
        }
        i = end + 1;
        return last == ')';
    }

    private boolean refusedUnless(boolean isOn, int end) {
        if (!isOn) {
            throw refused(pattern.substring(i, end + 1) + " in a group");
        }
        return false;
    }

    /** Applies a following quantifier to the part. */
    private RegexPart quantified(RegexPart part) {
        skipSpace();
        int[] times = times();
        if (times == null) {
            return part;
        }
        if (part.isLast()) {
            throw refused("$ or \\Z, without option m, in what is repeated");
        }
        if (isAt('?')) {
            // Lazy or greedy makes no difference for whether there is a match.
            i++;
        }
        skipSpace();
        if (isAtQuantifier()) {
            throw refused("a quantifier after a quantifier");
        }
        int least = times[0];
        int most = times[1];
        out.append('{').append(least);
        if (most != least) {
            out.append(',').append(most < 0 ? "" : most);
        }
        out.append('}');
        return bounded(part.repeated(least, most));
    }

    private boolean isAtQuantifier() {
        return i < pattern.length() && "*+?{".indexOf(pattern.charAt(i)) >= 0;
    }

    /**
     * Reads a quantifier and returns the least and the greatest number of times; the greatest is below 0 if unbounded.
     * Null without a quantifier.
     */
    private int[] times() {
        if (!isAtQuantifier()) {
            return null;
        }
        char c = pattern.charAt(i);
        if (c == '{') {
            return counted();
        }
        i++;
        return new int[] {c == '+' ? 1 : 0, c == '?' ? 1 : -1};
    }

    private int[] counted() {
        int end = pattern.indexOf('}', i);
        String counts = end < 0 ? "" : pattern.substring(i + 1, end);
        if (!counts.matches("[0-9]{1,4}(,[0-9]{0,4})?")) {
            throw refused("{ that is no quantifier; write \\{");
        }
        int comma = counts.indexOf(',');
        int least = Integer.parseInt(comma < 0 ? counts : counts.substring(0, comma));
        int most =
                comma < 0 ? least : comma + 1 == counts.length() ? -1 : Integer.parseInt(counts.substring(comma + 1));
        if (Math.max(least, most) > MOST_REPETITIONS || (most >= 0 && most < least)) {
            throw refused("{" + counts + "}, where most is " + MOST_REPETITIONS);
        }
        i = end + 1;
        return new int[] {least, most};
    }

    private UnsupportedFilterException refused(String what) {
        String shown = Names.shortened(regex.pattern(), LONGEST_SHOWN, "...");
        return new UnsupportedFilterException(
                "$regex", at, "/" + shown + "/" + regex.options() + ": " + what + ALLOWED);
    }
}
