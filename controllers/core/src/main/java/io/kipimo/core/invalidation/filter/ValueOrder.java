package io.kipimo.core.invalidation.filter;

import java.math.BigDecimal;
import java.util.Comparator;

/**
 * MongoDB's order of all values: by the bracket of their types first, then by content. Numbers of all types compare by
 * their exact value; NaN is equal to itself and below all other numbers.
 */
public final class ValueOrder implements Comparator<Value> {
    public static final ValueOrder INSTANCE = new ValueOrder();

    private static final double BEYOND = 0x1p63;

    private ValueOrder() {}

    @Override
    public int compare(Value a, Value b) {
        return order(a, b);
    }

    /** Negative, zero or positive; zero for values that are equal in MongoDB. */
    public static int order(Value a, Value b) {
        int byBracket = Integer.compare(a.type().bracket(), b.type().bracket());
        return byBracket != 0 ? byBracket : orderWithin(a, b);
    }

    public static boolean isNumber(Value value) {
        return value.type().bracket() == BsonType.INT.bracket();
    }

    public static boolean isNaN(Value value) {
        return (value instanceof Value.Float64 f && Double.isNaN(f.value()))
                || (value instanceof Value.Decimal d && Double.isNaN(d.special()));
    }

    private static int orderWithin(Value a, Value b) {
        return switch (a.type()) {
            case INT, LONG, DOUBLE, DECIMAL -> orderNumbers(a, b);
            case STRING -> orderTexts(((Value.TextValue) a).value(), ((Value.TextValue) b).value());
            case OBJECT -> orderDocuments((Document) a, (Document) b);
            case ARRAY -> orderArrays((ArrayValue) a, (ArrayValue) b);
            case BINARY -> ((Value.Binary) a).compareTo((Value.Binary) b);
            case OBJECT_ID -> ((Value.ObjectId) a).hex().compareTo(((Value.ObjectId) b).hex());
            case BOOL -> Boolean.compare(((Value.Bool) a).value(), ((Value.Bool) b).value());
            case DATE -> Long.compare(((Value.Date) a).epochMillis(), ((Value.Date) b).epochMillis());
            case TIMESTAMP -> orderTimestamps((Value.Timestamp) a, (Value.Timestamp) b);
            case REGEX -> orderRegexes((Value.Regex) a, (Value.Regex) b);
            case MIN_KEY, UNDEFINED, NULL, MAX_KEY -> 0;
        };
    }

    private static int orderNumbers(Value a, Value b) {
        if (isWhole(a) && isWhole(b)) {
            return Long.compare(whole(a), whole(b));
        }
        if (a instanceof Value.Decimal || b instanceof Value.Decimal) {
            return orderDecimals(a, b);
        }
        if (isWhole(a)) {
            return -orderDoubleAndLong(((Value.Float64) b).value(), whole(a));
        }
        double left = ((Value.Float64) a).value();
        return isWhole(b) ? orderDoubleAndLong(left, whole(b)) : orderDoubles(left, ((Value.Float64) b).value());
    }

    private static boolean isWhole(Value value) {
        return value instanceof Value.Int64 || value instanceof Value.Int32;
    }

    private static long whole(Value value) {
        return value instanceof Value.Int64 l ? l.value() : ((Value.Int32) value).value();
    }

    private static int orderDoubles(double a, double b) {
        if (a < b) {
            return -1;
        }
        if (a > b) {
            return 1;
        }
        // Equal, including zeros of different sign, or at least one is NaN.
        return Boolean.compare(Double.isNaN(b), Double.isNaN(a));
    }

    private static int orderDoubleAndLong(double a, long b) {
        if (Double.isNaN(a) || a < -BEYOND) {
            return -1;
        }
        if (a >= BEYOND) {
            return 1;
        }
        // The whole part fits a long and decides unless it is equal.
        int byWhole = Long.compare((long) a, b);
        return byWhole != 0 ? byWhole : (int) Math.signum(a - (double) (long) a);
    }

    private static int orderDecimals(Value a, Value b) {
        double left = nonFinite(a);
        double right = nonFinite(b);
        if (left != 0 || right != 0) {
            return orderDoubles(left, right);
        }
        return exact(a).compareTo(exact(b));
    }

    /** The infinity or NaN that a number is; 0 if the number is finite. */
    private static double nonFinite(Value value) {
        if (value instanceof Value.Decimal d) {
            return d.special();
        }
        return value instanceof Value.Float64 f && !Double.isFinite(f.value()) ? f.value() : 0;
    }

    private static BigDecimal exact(Value value) {
        if (value instanceof Value.Decimal d) {
            return d.finite();
        }
        return value instanceof Value.Float64 f ? new BigDecimal(f.value()) : BigDecimal.valueOf(whole(value));
    }

    /** The order of UTF-8 bytes, which is that of code points and not of chars. */
    private static int orderTexts(String a, String b) {
        int common = Math.min(a.length(), b.length());
        for (int i = 0; i < common; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean surrogates = Character.isSurrogate(x) != Character.isSurrogate(y);
                return surrogates ? (Character.isSurrogate(x) ? 1 : -1) : Character.compare(x, y);
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    private static int orderDocuments(Document a, Document b) {
        int common = Math.min(a.size(), b.size());
        for (int i = 0; i < common; i++) {
            Value x = a.value(i);
            Value y = b.value(i);
            int byBracket = Integer.compare(x.type().bracket(), y.type().bracket());
            if (byBracket != 0) {
                return byBracket;
            }
            int byName = orderTexts(a.name(i), b.name(i));
            if (byName != 0) {
                return byName;
            }
            int byContent = orderWithin(x, y);
            if (byContent != 0) {
                return byContent;
            }
        }
        return Integer.compare(a.size(), b.size());
    }

    private static int orderArrays(ArrayValue a, ArrayValue b) {
        int common = Math.min(a.size(), b.size());
        for (int i = 0; i < common; i++) {
            int byElement = order(a.get(i), b.get(i));
            if (byElement != 0) {
                return byElement;
            }
        }
        return Integer.compare(a.size(), b.size());
    }

    private static int orderTimestamps(Value.Timestamp a, Value.Timestamp b) {
        int bySeconds = Integer.compareUnsigned(a.seconds(), b.seconds());
        return bySeconds != 0 ? bySeconds : Integer.compareUnsigned(a.increment(), b.increment());
    }

    private static int orderRegexes(Value.Regex a, Value.Regex b) {
        int byPattern = orderTexts(a.pattern(), b.pattern());
        return byPattern != 0 ? byPattern : orderTexts(a.options(), b.options());
    }
}
