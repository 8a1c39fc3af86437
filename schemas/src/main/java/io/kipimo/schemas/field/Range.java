package io.kipimo.schemas.field;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Closed range of a number, or of each number in a list. Numbers without it are whole and at least
 * 0.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Range {
    double HOUR_MILLIS = 3_600_000;
    double DAY_MILLIS = 86_400_000;

    /** 1 January 2200, epoch milliseconds. */
    double LATEST_MILLIS = 7_258_118_400_000.0;

    /** Ten days; no component is that late. */
    double LONGEST_MICROS = 864_000_000_000.0;

    /** Greater whole numbers are not told apart as doubles. */
    double LARGEST_COUNT = 9_007_199_254_740_992.0;

    /** Items of one result or answer. */
    double MOST_ITEMS = 10_000;

    /** Least positive rate or fraction. */
    double LEAST_FRACTION = 1e-6;

    double least() default 0;

    double most() default LARGEST_COUNT;

    /** Component of the same record that the value must not be less than. */
    String leastOf() default "";

    /** Component of the same record that the value must not be greater than. */
    String mostOf() default "";
}
