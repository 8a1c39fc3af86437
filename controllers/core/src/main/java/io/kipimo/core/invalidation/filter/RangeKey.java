package io.kipimo.core.invalidation.filter;

import java.math.BigDecimal;

/**
 * Maps a value to a long. The order within a bracket of types is kept, but different values may have the same key: a
 * &lt;= b implies key(a) &lt;= key(b). So a search by keys finds all matches and possibly more, which the filter then
 * rejects.
 */
final class RangeKey {
    private static final int BYTES = 8;

    private RangeKey() {}

    static long of(Value value) {
        if (value instanceof Value.Int32 i) {
            return ofDouble(i.value());
        }
        if (value instanceof Value.Int64 l) {
            return ofDouble((double) l.value());
        }
        if (value instanceof Value.Float64 f) {
            return ofDouble(f.value());
        }
        if (value instanceof Value.Decimal d) {
            BigDecimal finite = d.finite();
            return ofDouble(finite == null ? d.special() : finite.doubleValue());
        }
        if (value instanceof Value.TextValue text) {
            return ofText(text.value(), 0);
        }
        if (value instanceof Value.Date date) {
            return date.epochMillis();
        }
        if (value instanceof Value.Timestamp t) {
            return ((long) t.seconds() << 32 | Integer.toUnsignedLong(t.increment())) ^ Long.MIN_VALUE;
        }
        if (value instanceof Value.Bool bool) {
            return bool.value() ? 1 : 0;
        }
        if (value instanceof Value.ObjectId id) {
            return Long.parseUnsignedLong(id.hex().substring(0, 16), 16) ^ Long.MIN_VALUE;
        }
        // Documents, arrays, bytes and regular expressions all have the same key.
        return 0;
    }

    /** The greatest key of strings with a prefix. */
    static long lastWithPrefix(String prefix) {
        return ofText(prefix, 0xFF);
    }

    private static long ofDouble(double value) {
        if (Double.isNaN(value)) {
            return Long.MIN_VALUE;
        }
        // Adding 0 turns a negative zero into the positive one.
        long bits = Double.doubleToLongBits(value + 0.0);
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }

    /** Key of a text: the first eight bytes of its UTF-8, in the order of unsigned numbers. */
    private static long ofText(String text, int padding) {
        long key = 0;
        int bytes = 0;
        for (int i = 0; i < text.length() && bytes < BYTES; ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            int length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
            for (int b = length - 1; b >= 0 && bytes < BYTES; b--) {
                key = key << 8 | utf8(c, length, b);
                bytes++;
            }
        }
        for (; bytes < BYTES; bytes++) {
            key = key << 8 | padding;
        }
        return key ^ Long.MIN_VALUE;
    }

    /** The byte of a character's UTF-8 that has {@code after} bytes after it. */
    private static int utf8(int c, int length, int after) {
        if (length == 1) {
            return c;
        }
        boolean isFirst = after == length - 1;
        int lead = (0xF00 >> length) & 0xFF;
        return isFirst ? lead | c >> (6 * after) : 0x80 | (c >> (6 * after) & 0x3F);
    }
}
