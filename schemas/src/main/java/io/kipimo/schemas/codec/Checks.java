package io.kipimo.schemas.codec;

import static io.kipimo.schemas.deadletter.RejectionReason.IMPOSSIBLE_NUMBER;
import static io.kipimo.schemas.deadletter.RejectionReason.IMPOSSIBLE_TEXT;
import static io.kipimo.schemas.deadletter.RejectionReason.INCONSISTENT;
import static io.kipimo.schemas.deadletter.RejectionReason.MISSING_FIELD;
import static io.kipimo.schemas.field.Names.printable;

import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Size;
import java.util.Arrays;

/** Checks of field values. If a value is not allowed, the exception names the field, the value and what is allowed. */
final class Checks {
    static final int MAXIMUM_PARTS = Size.MOST_PARTS;
    static final long LATEST_MILLIS = (long) Range.LATEST_MILLIS;
    static final long LONGEST_MICROS = (long) Range.LONGEST_MICROS;

    private Checks() {}

    /** Checks a name: a text that is not empty and has no control characters and no slash, which separates scopes. */
    static String name(String field, String value) throws InvalidRecordException {
        text(field, value);
        if (value.indexOf('/') >= 0) {
            throw new InvalidRecordException(
                    IMPOSSIBLE_TEXT, field + " is '" + printable(value) + "'; allowed: no '/'");
        }
        return value;
    }

    /** Checks a name that may be empty. */
    static String optionalName(String field, String value) throws InvalidRecordException {
        return value.isEmpty() ? value : name(field, value);
    }

    /** Checks a text that identifies something: it is not empty and has no control characters. */
    static String text(String field, String value) throws InvalidRecordException {
        return text(field, value, Names.LONGEST);
    }

    /** Checks a text of 1..{@code longest} UTF-16 code units without control characters. */
    static String text(String field, String value, int longest) throws InvalidRecordException {
        if (value.isEmpty()) {
            throw new InvalidRecordException(
                    MISSING_FIELD, field + " is empty; allowed: 1.." + longest + " characters");
        }
        return optionalText(field, value, longest);
    }

    static String optionalText(String field, String value) throws InvalidRecordException {
        return optionalText(field, value, Names.LONGEST);
    }

    private static String optionalText(String field, String value, int longest) throws InvalidRecordException {
        length(field, value, longest);
        if (!Names.hasOnlyCharacters(value)) {
            throw new InvalidRecordException(
                    IMPOSSIBLE_TEXT, field + " is '" + printable(value) + "'; allowed: no control characters");
        }
        return value;
    }

    /** Checks only that a text has at most {@code longest} UTF-16 code units. */
    static String length(String field, String value, int longest) throws InvalidRecordException {
        if (value.length() > longest) {
            throw new InvalidRecordException(
                    IMPOSSIBLE_TEXT, field + " has " + value.length() + " characters; allowed: at most " + longest);
        }
        return value;
    }

    static long millis(String field, long value) throws InvalidRecordException {
        return within(field, value, 1, LATEST_MILLIS);
    }

    static long latencyMicros(String field, long value) throws InvalidRecordException {
        return within(field, value, 0, LONGEST_MICROS);
    }

    static long count(String field, long value) throws InvalidRecordException {
        return within(field, value, 0, 1L << 53);
    }

    static long within(String field, long value, long least, long most) throws InvalidRecordException {
        if (value < least || value > most) {
            throw new InvalidRecordException(
                    IMPOSSIBLE_NUMBER, field + " is " + value + "; allowed: " + least + ".." + most);
        }
        return value;
    }

    static double fraction(String field, double value) throws InvalidRecordException {
        return within(field, value, 0, 1);
    }

    /** Checks that a number is within the closed range; NaN is refused. */
    static double within(String field, double value, double least, double most) throws InvalidRecordException {
        if (!(value >= least && value <= most)) {
            throw new InvalidRecordException(
                    IMPOSSIBLE_NUMBER, field + " is " + value + "; allowed: " + least + ".." + most);
        }
        return value;
    }

    static double finite(String field, double value) throws InvalidRecordException {
        return within(field, value, -Double.MAX_VALUE, Double.MAX_VALUE);
    }

    static void parts(String field, int size) throws InvalidRecordException {
        if (size > MAXIMUM_PARTS) {
            throw new InvalidRecordException(
                    IMPOSSIBLE_NUMBER, field + " has " + size + " parts; allowed: at most " + MAXIMUM_PARTS);
        }
    }

    /**
     * Converts the number of a Protobuf enum constant to an element of {@code constants}. Number 0 means unspecified
     * and is refused; number 1 is the first element.
     */
    static <E extends Enum<E>> E constant(String field, int wireValue, E[] constants) throws InvalidRecordException {
        return constants[constantIndex(field, wireValue, constants)];
    }

    /** Returns the constant whose name is {@code wireValue}. */
    static <E extends Enum<?>> E constant(String field, String wireValue, E[] constants) throws InvalidRecordException {
        text(field, wireValue);
        for (E constant : constants) {
            if (constant.name().equals(wireValue)) {
                return constant;
            }
        }
        throw new InvalidRecordException(
                IMPOSSIBLE_TEXT,
                field + " is '" + printable(wireValue) + "'; allowed: one of " + Arrays.toString(constants));
    }

    /** Converts the number of a Protobuf enum constant, as above, to an index of {@code constants}. */
    static int constantIndex(String field, int wireValue, Object[] constants) throws InvalidRecordException {
        if (wireValue == 0) {
            throw new InvalidRecordException(
                    MISSING_FIELD, field + " is not set; allowed: one of " + Arrays.toString(constants));
        }
        if (wireValue < 0 || wireValue > constants.length) {
            throw new InvalidRecordException(
                    IMPOSSIBLE_TEXT,
                    field + " is constant " + wireValue + "; allowed: one of " + Arrays.toString(constants));
        }
        return wireValue - 1;
    }

    static InvalidRecordException inconsistent(String detail) {
        return new InvalidRecordException(INCONSISTENT, detail);
    }
}
