package io.kipimo.schemas.field;

/**
 * Closed range of a number.
 *
 * @param leastWhole {@code least} for whole numbers, since doubles cannot tell whole numbers above 2^53 apart
 * @param mostWhole {@code most} for whole numbers
 */
public record FieldBounds(double least, double most, long leastWhole, long mostWhole) {
    public FieldBounds(double least, double most) {
        this(least, most, (long) least, (long) most);
    }

    /** The part of this range from {@code other} on. */
    FieldBounds from(Number other) {
        return new FieldBounds(
                Math.max(least, other.doubleValue()), most, Math.max(leastWhole, other.longValue()), mostWhole);
    }

    /** The part of this range up to {@code other}. */
    FieldBounds upTo(Number other) {
        return new FieldBounds(
                least, Math.min(most, other.doubleValue()), leastWhole, Math.min(mostWhole, other.longValue()));
    }

    /** Whether no number is within the range. */
    boolean isEmpty() {
        return least > most || leastWhole > mostWhole;
    }

    /** Whether {@code value} is within the range; NaN is not. Whole numbers are compared exactly. */
    public boolean admits(Number value) {
        if (value instanceof Double number) {
            return number >= least && number <= most;
        }
        return value.longValue() >= leastWhole && value.longValue() <= mostWhole;
    }

    /** Message with the field, the value and what is allowed. */
    public String refusal(String field, Number value) {
        return value instanceof Double
                ? field + " is " + value + "; allowed: " + least + ".." + most
                : field + " is " + value + "; allowed: " + leastWhole + ".." + mostWhole;
    }
}
