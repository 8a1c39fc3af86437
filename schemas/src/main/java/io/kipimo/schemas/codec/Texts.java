package io.kipimo.schemas.codec;

import io.kipimo.schemas.field.Names;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Decodes texts from bytes, if {@link Checks} and Protobuf allow them. */
final class Texts {
    private Texts() {}

    /** Whether all characters are printable ASCII. */
    static boolean isPrintableAscii(byte[] bytes, int start, int length) {
        int outside = 0;
        for (int i = start; i < start + length; i++) {
            outside |= (bytes[i] - ' ') | ('~' - bytes[i]);
        }
        return outside >= 0;
    }

    /** Decodes UTF-8; null if the bytes are not UTF-8. */
    static String decode(byte[] bytes, int start, int length) {
        String text = new String(bytes, start, length, StandardCharsets.UTF_8);
        // Bytes that are not UTF-8 decode to a replacement character, which encodes differently.
        byte[] again = text.getBytes(StandardCharsets.UTF_8);
        return Arrays.equals(again, 0, again.length, bytes, start, start + length) ? text : null;
    }

    /** Decodes UTF-8; null if the bytes are not UTF-8 or {@link Checks#optionalText} refuses the text. */
    static String optional(byte[] bytes, int start, int length) {
        if (length <= Names.LONGEST && isPrintableAscii(bytes, start, length)) {
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
        return (length <= Names.LONGEST && isPrintableAscii(bytes, start, length))
                || optional(bytes, start, length) != null;
    }
}
