package io.kipimo.schemas.field;

/** Closed range of a number. */
public record FieldBounds(double least, double most) {

    /**
     * Whether {@code value} is within the range; NaN is not. Whole numbers are compared exactly.
     */
    public boolean admits(Number value) {
        if (value instanceof Double number) {
            return number >= least && number <= most;
        }
        return value.longValue() >= (long) least && value.longValue() <= (long) most;
    }

    /** Message with the field, the value and what is allowed. */
    public String refusal(String field, Number value) {
        return value instanceof Double
                ? field + " is " + value + "; allowed: " + least + ".." + most
                : field + " is " + value + "; allowed: " + (long) least + ".." + (long) most;
    }
}
