package io.kipimo.sdk.internal.http;

import java.util.ArrayList;
import java.util.List;

/**
 * A list in the lines of an HTTP field (RFC 9110, sec. 5.6.1). A separator in a quoted string is a part of the text.
 *
 * @param members members of the list, without white space around them; empty members are left out
 * @param isWhole whether all quoted strings end in their line
 */
public record FieldList(List<String> members, boolean isWhole) {
    /** The members of all lines. Lines count as if a comma separated them. */
    public static FieldList of(List<String> lines) {
        List<String> members = new ArrayList<>();
        boolean isWhole = true;
        for (String line : lines) {
            isWhole &= split(line, ',', members);
        }
        return new FieldList(members, isWhole);
    }

    /** Parts of a member, separated by semicolons; {@code key="a;b"; x} has two. */
    static List<String> parts(String member) {
        List<String> parts = new ArrayList<>();
        boolean unused = split(member, ';', parts);
        return parts;
    }

    /** Adds the parts of a text to {@code to}, and returns whether all quoted strings end. */
    private static boolean split(String text, char separator, List<String> to) {
        boolean isQuoted = false;
        StringBuilder part = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == separator && !isQuoted) {
                add(part, to);
                continue;
            }
            part.append(c);
            if (c == '\\' && isQuoted && i + 1 < text.length()) {
                part.append(text.charAt(++i));
            } else if (c == '"') {
                isQuoted = !isQuoted;
            }
        }
        add(part, to);
        return !isQuoted;
    }

    private static void add(StringBuilder part, List<String> to) {
        String plain = part.toString().strip();
        if (!plain.isEmpty()) {
            to.add(plain);
        }
        part.setLength(0);
    }

    /** The text of a token or quoted string. */
    static String unquoted(String value) {
        if (value.length() < 2 || !value.startsWith("\"") || !value.endsWith("\"")) {
            return value;
        }
        return value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1");
    }
}
