package io.kipimo.schemas.field;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Allowed number of elements of a list, a map or an array. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Size {
    /** Greatest number of components, metrics, classes or other parts of one record. */
    int MOST_PARTS = 10_000;

    int least() default 0;

    int most() default MOST_PARTS;
}
