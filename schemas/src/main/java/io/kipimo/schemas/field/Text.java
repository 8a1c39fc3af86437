package io.kipimo.schemas.field;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A text that identifies something: not empty, no control characters. Of a list, each element. A component without this
 * annotation is such a text, too, and may be empty.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Text {
    /** UTF-16 code units. */
    int longest() default Names.LONGEST;

    boolean mayBeEmpty() default false;
}
