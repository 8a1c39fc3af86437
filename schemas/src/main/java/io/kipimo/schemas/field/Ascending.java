package io.kipimo.schemas.field;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The list is sorted: the first component of its elements, a number, never falls from one element to the next. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Ascending {
    /** Whether equal numbers are refused, too. */
    boolean strictly() default false;
}
