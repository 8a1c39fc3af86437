package io.kipimo.core.invalidation.filter;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/**
 * A BSON value, immutable. {@code equals} distinguishes types (1 is not 1.0). Values that are equal in MongoDB have
 * equal {@link #canonical()} forms and compare as 0 by {@link ValueOrder}.
 */
public sealed interface Value
        permits Value.ConstantValue,
                Value.Bool,
                Value.Int32,
                Value.Int64,
                Value.Float64,
                Value.Decimal,
                Value.TextValue,
                Value.Date,
                Value.Timestamp,
                Value.ObjectId,
                Value.Binary,
                Value.Regex,
                ArrayValue,
                Document {

    BsonType type();

    /**
     * The form that values have in common if they are equal in MongoDB. A whole number that fits 64 bits becomes
     * {@link Int64}; another number becomes {@link Float64} if that is exact, else {@link Decimal} without trailing
     * zeros.
     */
    default Value canonical() {
        return this;
    }

    /** Values without content. */
    enum ConstantValue implements Value {
        MIN_KEY(BsonType.MIN_KEY),
        UNDEFINED(BsonType.UNDEFINED),
        NULL(BsonType.NULL),
        MAX_KEY(BsonType.MAX_KEY);

        private final BsonType type;

        ConstantValue(BsonType type) {
            this.type = type;
        }

        @Override
        public BsonType type() {
            return type;
        }
    }

    /** True or false. */
    record Bool(boolean value) implements Value {
        @Override
        public BsonType type() {
            return BsonType.BOOL;
        }
    }

    /** A whole number of 32 bits. */
    record Int32(int value) implements Value {
        @Override
        public BsonType type() {
            return BsonType.INT;
        }

        @Override
        public Value canonical() {
            return new Int64(value);
        }
    }

    /** A whole number of 64 bits. */
    record Int64(long value) implements Value {
        @Override
        public BsonType type() {
            return BsonType.LONG;
        }
    }

    /** An IEEE 754 double, infinities and NaN included. */
    record Float64(double value) implements Value {
        // 2^63: the first double above all longs.
        private static final double BEYOND = 0x1p63;

        @Override
        public BsonType type() {
            return BsonType.DOUBLE;
        }

        @Override
        public Value canonical() {
            if (value >= -BEYOND && value < BEYOND && value == Math.rint(value)) {
                return new Int64((long) value);
            }
            return this;
        }
    }

    /**
     * A decimal of up to 34 digits.
     *
     * @param finite null if it is NaN or infinite
     * @param special NaN or an infinity; 0 if it is finite
     */
    record Decimal(BigDecimal finite, double special) implements Value {
        private static final BigDecimal LEAST_LONG = BigDecimal.valueOf(Long.MIN_VALUE);
        private static final BigDecimal MOST_LONG = BigDecimal.valueOf(Long.MAX_VALUE);
        // Decimal128 reaches to 10^6144. Larger exponents would make the stripping of zeros too
        // expensive.
        private static final int MOST_EXPONENT = 6_200;

        public Decimal {
            if ((finite == null) == Double.isFinite(special)) {
                throw new IllegalArgumentException(
                        "decimal " + finite + ", " + special + "; allowed: finite, or special");
            }
            if (finite != null && Math.abs((long) finite.scale()) > MOST_EXPONENT) {
                throw new IllegalArgumentException(
                        "decimal has exponent " + -(long) finite.scale() + "; allowed: -6200 to 6200");
            }
        }

        public static Decimal of(BigDecimal finite) {
            return new Decimal(finite, 0);
        }

        public boolean isFinite() {
            return finite != null;
        }

        @Override
        public BsonType type() {
            return BsonType.DECIMAL;
        }

        @Override
        public Value canonical() {
            if (finite == null) {
                return new Float64(special);
            }
            // A whole number of 64 bits, of any scale. The bounds are checked first, to limit the
            // work.
            if (finite.compareTo(LEAST_LONG) >= 0 && finite.compareTo(MOST_LONG) <= 0) {
                BigDecimal stripped = finite.stripTrailingZeros();
                if (stripped.scale() <= 0) {
                    return new Int64(stripped.longValueExact());
                }
            }
            double nearest = finite.doubleValue();
            if (Double.isFinite(nearest) && new BigDecimal(nearest).compareTo(finite) == 0) {
                return new Float64(nearest).canonical();
            }
            return of(finite.stripTrailingZeros());
        }
    }

    /** A string; ordered by its UTF-8 bytes. */
    record TextValue(String value) implements Value {
        @Override
        public BsonType type() {
            return BsonType.STRING;
        }
    }

    /** A point in time, in milliseconds since 1970, UTC. */
    record Date(long epochMillis) implements Value {
        @Override
        public BsonType type() {
            return BsonType.DATE;
        }
    }

    /** MongoDB's internal time: seconds since 1970, and a counter within the second; both unsigned. */
    record Timestamp(int seconds, int increment) implements Value {
        @Override
        public BsonType type() {
            return BsonType.TIMESTAMP;
        }
    }

    /**
     * MongoDB's object id: twelve bytes.
     *
     * @param hex 24 digits, 0-9a-f
     */
    record ObjectId(String hex) implements Value {
        private static final int DIGITS = 24;

        public ObjectId {
            if (hex.length() != DIGITS || !hex.chars().allMatch(HexFormat::isHexDigit)) {
                throw new IllegalArgumentException("object id '" + hex + "'; allowed: 24 hexadecimal digits");
            }
            hex = hex.toLowerCase(java.util.Locale.ROOT);
        }

        @Override
        public BsonType type() {
            return BsonType.OBJECT_ID;
        }
    }

    /**
     * Binary data.
     *
     * @param subtype MongoDB's subtype, 0..255
     */
    record Binary(int subtype, byte[] bytes) implements Value {
        public Binary {
            if (subtype < 0 || subtype > 0xFF) {
                throw new IllegalArgumentException("subtype " + Integer.toHexString(subtype) + "; allowed: 00 to ff");
            }
            bytes = bytes.clone();
        }

        @Override
        public byte[] bytes() {
            return bytes.clone();
        }

        @Override
        public BsonType type() {
            return BsonType.BINARY;
        }

        int compareTo(Binary other) {
            int byLength = Integer.compare(bytes.length, other.bytes.length);
            int bySubtype = byLength != 0 ? byLength : Integer.compare(subtype, other.subtype);
            return bySubtype != 0 ? bySubtype : Arrays.compareUnsigned(bytes, other.bytes);
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Binary other && compareTo(other) == 0;
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes) + subtype;
        }

        @Override
        public String toString() {
            return "Binary[" + subtype + ", " + HexFormat.of().formatHex(bytes) + "]";
        }
    }

    /**
     * A regular expression, stored as a value.
     *
     * @param options letters, in alphabetical order
     */
    record Regex(String pattern, String options) implements Value {
        public Regex {
            Objects.requireNonNull(pattern, "pattern");
            char[] letters = options.toCharArray();
            Arrays.sort(letters);
            options = new String(letters);
        }

        @Override
        public BsonType type() {
            return BsonType.REGEX;
        }
    }
}
