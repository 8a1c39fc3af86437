package io.kipimo.cli.export;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Writes one struct in Thrift's compact protocol, as Parquet's metadata has it. Fields must come in
 * the order of their numbers.
 */
final class CompactThrift {
    private static final int I32 = 5;
    private static final int I64 = 6;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int STRUCT = 12;

    /** Longer lists have their size after the header. */
    private static final int MOST_IN_HEADER = 14;

    private final ByteArrayOutputStream out;
    private int lastField;

    CompactThrift() {
        this(new ByteArrayOutputStream());
    }

    private CompactThrift(ByteArrayOutputStream out) {
        this.out = out;
    }

    CompactThrift number(int field, int value) {
        header(field, I32);
        varint(zigzag(value));
        return this;
    }

    CompactThrift number(int field, long value) {
        header(field, I64);
        varint(zigzag(value));
        return this;
    }

    CompactThrift text(int field, String value) {
        header(field, BINARY);
        text(value);
        return this;
    }

    CompactThrift struct(int field, CompactThrift value) {
        header(field, STRUCT);
        out.writeBytes(value.bytes());
        return this;
    }

    CompactThrift numbers(int field, List<Integer> values) {
        return list(field, I32, values, (list, value) -> list.varint(zigzag(value)));
    }

    CompactThrift texts(int field, List<String> values) {
        return list(field, BINARY, values, CompactThrift::text);
    }

    CompactThrift structs(int field, List<CompactThrift> values) {
        return list(field, STRUCT, values, (list, value) -> list.out.writeBytes(value.bytes()));
    }

    private <T> CompactThrift list(
            int field, int type, List<T> values, BiConsumer<CompactThrift, T> writer) {
        header(field, LIST);
        if (values.size() <= MOST_IN_HEADER) {
            out.write((values.size() << 4) | type);
        } else {
            out.write(0xf0 | type);
            varint(values.size());
        }
        values.forEach(value -> writer.accept(this, value));
        return this;
    }

    private void header(int field, int type) {
        out.write(((field - lastField) << 4) | type);
        lastField = field;
    }

    private void text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        varint(bytes.length);
        out.writeBytes(bytes);
    }

    private void varint(long value) {
        varint(value, out);
    }

    /** Writes seven bits a byte, the lowest first. */
    static void varint(long value, ByteArrayOutputStream out) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    private static long zigzag(long value) {
        return (value << 1) ^ (value >> 63);
    }

    /** The struct with its end. */
    byte[] bytes() {
        byte[] fields = out.toByteArray();
        return java.util.Arrays.copyOf(fields, fields.length + 1);
    }
}
