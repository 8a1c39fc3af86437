package io.kipimo.sdk.caching;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Finds the places of parts of a JSON text (RFC 8259), so that a part, with its numbers, is kept as it was sent. */
final class JsonParts {
    private static final int MOST_LEVELS = 100;
    private static final int UNICODE_DIGITS = 4;

    private final byte[] utf8;
    private final int end;
    private int at;

    /**
     * A part of a text.
     *
     * @param from index of the first byte
     * @param to index after the last byte
     */
    record JsonPart(byte[] utf8, int from, int to) {
        String text() {
            return new String(utf8, from, to - from, StandardCharsets.UTF_8);
        }
    }

    private JsonParts(JsonPart part) {
        this.utf8 = part.utf8();
        this.at = part.from();
        this.end = part.to();
    }

    static JsonPart whole(byte[] utf8) {
        return new JsonPart(utf8, 0, utf8.length);
    }

    /**
     * The elements of an array.
     *
     * @throws IllegalArgumentException if the part is no array
     */
    static List<JsonPart> elements(JsonPart array) {
        JsonParts reader = new JsonParts(array);
        List<JsonPart> elements = new ArrayList<>();
        reader.array(1, elements::add);
        reader.expectEnd();
        return elements;
    }

    /**
     * The last value of a name in an object; null without one.
     *
     * @throws IllegalArgumentException if the part is no object
     */
    static JsonPart member(JsonPart object, String name) {
        JsonParts reader = new JsonParts(object);
        JsonPart[] last = new JsonPart[1];
        reader.object(1, (found, value) -> last[0] = found.equals(name) ? value : last[0]);
        reader.expectEnd();
        return last[0];
    }

    /** The text of a string or of a number; empty for other values. */
    static String scalar(JsonPart part) {
        JsonParts reader = new JsonParts(part);
        reader.white();
        byte first = reader.peek();
        return first == '"'
                ? reader.string()
                : first == '-' || isDigit(first) ? part.text().strip() : "";
    }

    private void array(int level, Consumer<JsonPart> each) {
        white();
        expect('[');
        white();
        boolean hasMore = peek() != ']';
        while (hasMore) {
            each.accept(value(level));
            white();
            hasMore = peek() == ',';
            at += hasMore ? 1 : 0;
        }
        expect(']');
    }

    private void object(int level, BiConsumer<String, JsonPart> each) {
        white();
        expect('{');
        white();
        boolean hasMore = peek() != '}';
        while (hasMore) {
            white();
            String name = string();
            white();
            expect(':');
            each.accept(name, value(level));
            white();
            hasMore = peek() == ',';
            at += hasMore ? 1 : 0;
        }
        expect('}');
    }

    private JsonPart value(int level) {
        if (level > MOST_LEVELS) {
            throw new IllegalArgumentException("JSON is nested deeper than " + MOST_LEVELS + " levels");
        }
        white();
        int from = at;
        switch (peek()) {
            case '{' -> object(level + 1, (name, value) -> {});
            case '[' -> array(level + 1, element -> {});
            case '"' -> string();
            default -> word();
        }
        return new JsonPart(utf8, from, at);
    }

    private void word() {
        int from = at;
        while (at < end && (isDigit(utf8[at]) || "+-.eEtrufalsn".indexOf(utf8[at]) >= 0)) {
            at++;
        }
        String word = new JsonPart(utf8, from, at).text();
        if (!word.matches("true|false|null|-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
            throw new IllegalArgumentException("JSON has no value at byte " + from);
        }
    }

    private String string() {
        expect('"');
        int from = at;
        boolean isEscaped = false;
        while (peek() != '"') {
            isEscaped |= utf8[at] == '\\';
            at += utf8[at] == '\\' ? 2 : 1;
        }
        String text = new JsonPart(utf8, from, at).text();
        at++;
        return isEscaped ? unescaped(text) : text;
    }

    private static String unescaped(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
                int simple = "\"\\/bfnrt".indexOf(text.charAt(i));
                if (simple >= 0) {
                    c = "\"\\/\b\f\n\r\t".charAt(simple);
                } else {
                    if (text.charAt(i) != 'u' || i + UNICODE_DIGITS >= text.length()) {
                        throw new IllegalArgumentException("JSON has an invalid escape");
                    }
                    // Not as a number, which could have a sign.
                    c = (char) HexFormat.fromHexDigits(text, i + 1, i + 1 + UNICODE_DIGITS);
                    i += UNICODE_DIGITS;
                }
            }
            plain.append(c);
        }
        return plain.toString();
    }

    private void white() {
        while (at < end && (utf8[at] == ' ' || utf8[at] == '\t' || utf8[at] == '\n' || utf8[at] == '\r')) {
            at++;
        }
    }

    private byte peek() {
        if (at >= end) {
            throw new IllegalArgumentException("JSON ends at byte " + end);
        }
        return utf8[at];
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw new IllegalArgumentException("JSON has no " + wanted + " at byte " + at);
        }
        at++;
    }

    private void expectEnd() {
        white();
        if (at < end) {
            throw new IllegalArgumentException("JSON goes on at byte " + at);
        }
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }
}
