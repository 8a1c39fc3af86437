package io.kipimo.schemas.field;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Closed range of a number, or of each number in a list, an array or the values of a map. Numbers without this
 * annotation are at least 0 and at most {@link #LARGEST_COUNT}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Range {
    double HOUR_MILLIS = 3_600_000;
    double DAY_MILLIS = 86_400_000;

    /** 1 January 2200, epoch milliseconds. */
    double LATEST_MILLIS = 7_258_118_400_000.0;

    /** Ten days, in microseconds: no component takes longer. */
    double LONGEST_MICROS = 864_000_000_000.0;

    /** Greatest whole number up to which doubles are exact. */
    double LARGEST_COUNT = 9_007_199_254_740_992.0;

    /** Greatest number of items in a result or answer. */
    double MOST_ITEMS = 10_000;

    /** Least positive rate or fraction. */
    double LEAST_FRACTION = 1e-6;

    double least() default 0;

    double most() default LARGEST_COUNT;

    /** Components of the same record that are lower bounds of the value. */
    String[] leastOf() default {};

    /** Components of the same record that are upper bounds of the value. */
    String[] mostOf() default {};
}
