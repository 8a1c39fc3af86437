package io.kipimo.schemas.field;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A text that identifies something: not empty, no control characters. In a list, each element must be such a text. A
 * text component without this annotation follows the same rule, but may be empty.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Text {
    /** Greatest length, UTF-16 code units. */
    int longest() default Names.LONGEST;

    boolean mayBeEmpty() default false;
}
