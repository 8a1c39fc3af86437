package io.kipimo.schemas.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Texts as {@link Checks} and Protobuf allow them. */
final class Texts {
    private Texts() {}

    /** Whether all are printable ASCII characters. */
    static boolean isPrintableAscii(byte[] bytes, int start, int length) {
        int outside = 0;
        for (int i = start; i < start + length; i++) {
            outside |= (bytes[i] - ' ') | ('~' - bytes[i]);
        }
        return outside >= 0;
    }

    /** The text; null if the bytes are no UTF-8. */
    static String decode(byte[] bytes, int start, int length) {
        String text = new String(bytes, start, length, StandardCharsets.UTF_8);
        // Where it is no UTF-8, a replacement character stands that encodes differently.
        byte[] again = text.getBytes(StandardCharsets.UTF_8);
        return Arrays.equals(again, 0, again.length, bytes, start, start + length) ? text : null;
    }

    /** The text; null if {@link Checks#optionalText} refuses it or it is no UTF-8. */
    static String optional(byte[] bytes, int start, int length) {
        if (length <= Checks.MAXIMUM_TEXT && isPrintableAscii(bytes, start, length)) {
            return new String(bytes, start, length, StandardCharsets.ISO_8859_1);
        }
        String text = decode(bytes, start, length);
        try {
            return text == null ? null : Checks.optionalText("text", text);
        } catch (InvalidRecordException e) {
            return null;
        }
    }

    static boolean isOptional(byte[] bytes, int start, int length) {
        return (length <= Checks.MAXIMUM_TEXT && isPrintableAscii(bytes, start, length))
                || optional(bytes, start, length) != null;
    }
}
