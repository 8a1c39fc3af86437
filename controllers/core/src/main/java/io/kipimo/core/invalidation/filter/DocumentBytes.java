package io.kipimo.core.invalidation.filter;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes values as bytes without loss of types, for state and for transfer between processes. A value is a tag and
 * then its content; whole numbers and lengths take seven bits of each byte. The bytes take about half the size of
 * extended JSON and need no parser. Tags are never reused. Code that stores the bytes must store a version too.
 */
public final class DocumentBytes {
    /** Deepest nesting that is read; documents and filters are never nested this deep. */
    private static final int MOST_LEVELS = 128;

    private static final int MIN_KEY = 1;
    private static final int UNDEFINED = 2;
    private static final int NULL = 3;
    private static final int MAX_KEY = 4;
    private static final int FALSE = 5;
    private static final int TRUE = 6;
    private static final int INT32 = 7;
    private static final int INT64 = 8;
    private static final int FLOAT64 = 9;
    private static final int DECIMAL = 10;
    private static final int SPECIAL_DECIMAL = 11;
    private static final int TEXT = 12;
    private static final int DATE = 13;
    private static final int TIMESTAMP = 14;
    private static final int OBJECT_ID = 15;
    private static final int BINARY = 16;
    private static final int REGEX = 17;
    private static final int ARRAY = 18;
    private static final int DOCUMENT = 19;

    private DocumentBytes() {}

    public static void write(Value value, DataOutput out) throws IOException {
        if (value instanceof Document document) {
            out.writeByte(DOCUMENT);
            writeLength(document.size(), out);
            for (int i = 0; i < document.size(); i++) {
                writeText(document.name(i), out);
                write(document.value(i), out);
            }
        } else if (value instanceof ArrayValue array) {
            out.writeByte(ARRAY);
            writeLength(array.size(), out);
            for (Value element : array.values()) {
                write(element, out);
            }
        } else {
            writeScalar(value, out);
        }
    }

    private static void writeScalar(Value value, DataOutput out) throws IOException {
        if (value instanceof Value.TextValue text) {
            out.writeByte(TEXT);
            writeText(text.value(), out);
        } else if (value instanceof Value.Int32 number) {
            out.writeByte(INT32);
            writeLong(number.value(), out);
        } else if (value instanceof Value.Int64 number) {
            out.writeByte(INT64);
            writeLong(number.value(), out);
        } else if (value instanceof Value.Float64 number) {
            out.writeByte(FLOAT64);
            out.writeDouble(number.value());
        } else if (value instanceof Value.Bool bool) {
            out.writeByte(bool.value() ? TRUE : FALSE);
        } else if (value instanceof Value.Date date) {
            out.writeByte(DATE);
            writeLong(date.epochMillis(), out);
        } else if (value instanceof Value.ObjectId id) {
            out.writeByte(OBJECT_ID);
            writeText(id.hex(), out);
        } else if (value instanceof Value.Decimal decimal) {
            writeDecimal(decimal, out);
        } else if (value instanceof Value.Timestamp timestamp) {
            out.writeByte(TIMESTAMP);
            out.writeInt(timestamp.seconds());
            out.writeInt(timestamp.increment());
        } else if (value instanceof Value.Binary binary) {
            out.writeByte(BINARY);
            out.writeByte(binary.subtype());
            writeBytes(binary.bytes(), out);
        } else if (value instanceof Value.Regex regex) {
            out.writeByte(REGEX);
            writeText(regex.pattern(), out);
            writeText(regex.options(), out);
        } else {
            out.writeByte(
                    switch ((Value.ConstantValue) value) {
                        case MIN_KEY -> MIN_KEY;
                        case UNDEFINED -> UNDEFINED;
                        case NULL -> NULL;
                        case MAX_KEY -> MAX_KEY;
                    });
        }
    }

    private static void writeDecimal(Value.Decimal decimal, DataOutput out) throws IOException {
        if (decimal.isFinite()) {
            out.writeByte(DECIMAL);
            writeLong(decimal.finite().scale(), out);
            writeBytes(decimal.finite().unscaledValue().toByteArray(), out);
        } else {
            out.writeByte(SPECIAL_DECIMAL);
            out.writeDouble(decimal.special());
        }
    }

    /** @throws IOException if the input is not a value */
    public static Value read(DataInput in) throws IOException {
        return read(in, 0);
    }

    /** @throws IOException if the input is not a document */
    public static Document readDocument(DataInput in) throws IOException {
        if (read(in) instanceof Document document) {
            return document;
        }
        throw new IOException("stored value is not a document");
    }

    private static Value read(DataInput in, int level) throws IOException {
        if (level > MOST_LEVELS) {
            throw new IOException("stored value is nested deeper than " + MOST_LEVELS + " levels");
        }
        int tag = in.readUnsignedByte();
        return switch (tag) {
            case MIN_KEY -> Value.ConstantValue.MIN_KEY;
            case UNDEFINED -> Value.ConstantValue.UNDEFINED;
            case NULL -> Value.ConstantValue.NULL;
            case MAX_KEY -> Value.ConstantValue.MAX_KEY;
            case FALSE -> new Value.Bool(false);
            case TRUE -> new Value.Bool(true);
            case INT32 -> new Value.Int32((int) readLong(in));
            case INT64 -> new Value.Int64(readLong(in));
            case FLOAT64 -> new Value.Float64(in.readDouble());
            case DECIMAL -> readDecimal(in);
            case SPECIAL_DECIMAL -> new Value.Decimal(null, in.readDouble());
            case TEXT -> new Value.TextValue(readText(in));
            case DATE -> new Value.Date(readLong(in));
            case TIMESTAMP -> new Value.Timestamp(in.readInt(), in.readInt());
            case OBJECT_ID -> new Value.ObjectId(readText(in));
            case BINARY -> new Value.Binary(in.readUnsignedByte(), readBytes(in));
            case REGEX -> new Value.Regex(readText(in), readText(in));
            case ARRAY -> readArray(in, level);
            case DOCUMENT -> readFields(in, level);
            default -> throw new IOException("stored value has tag " + tag + "; allowed: 1..19");
        };
    }

    private static Value readDecimal(DataInput in) throws IOException {
        int scale = (int) readLong(in);
        return Value.Decimal.of(new BigDecimal(new BigInteger(readBytes(in)), scale));
    }

    private static Value readArray(DataInput in, int level) throws IOException {
        int size = readLength(in);
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            values.add(read(in, level + 1));
        }
        return new ArrayValue(values);
    }

    private static Value readFields(DataInput in, int level) throws IOException {
        int size = readLength(in);
        Document.DocumentBuilder document = Document.builder();
        for (int i = 0; i < size; i++) {
            document.put(readText(in), read(in, level + 1));
        }
        return document.build();
    }

    /** Writes a text of any length, unlike {@link DataOutput#writeUTF}, which has a limit. */
    public static void writeText(String text, DataOutput out) throws IOException {
        writeBytes(text.getBytes(StandardCharsets.UTF_8), out);
    }

    public static String readText(DataInput in) throws IOException {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    /** Writes a number in 1 to 10 bytes; small numbers of either sign take few bytes. */
    public static void writeLong(long value, DataOutput out) throws IOException {
        long rest = (value << 1) ^ (value >> (Long.SIZE - 1));
        while ((rest & ~0x7FL) != 0) {
            out.writeByte((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        out.writeByte((int) rest);
    }

    public static long readLong(DataInput in) throws IOException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int part = in.readUnsignedByte();
            value |= (long) (part & 0x7F) << shift;
            if (part < 0x80) {
                return (value >>> 1) ^ -(value & 1);
            }
        }
        throw new IOException("stored number is longer than 10 bytes");
    }

    /** @param length at least 0 */
    public static void writeLength(int length, DataOutput out) throws IOException {
        writeLong(length, out);
    }

    public static int readLength(DataInput in) throws IOException {
        long length = readLong(in);
        if (length < 0 || length > Integer.MAX_VALUE) {
            throw new IOException("stored length is " + length + "; allowed: from 0");
        }
        return (int) length;
    }

    private static void writeBytes(byte[] bytes, DataOutput out) throws IOException {
        writeLength(bytes.length, out);
        out.write(bytes);
    }

    private static byte[] readBytes(DataInput in) throws IOException {
        byte[] bytes = new byte[readLength(in)];
        in.readFully(bytes);
        return bytes;
    }
}
