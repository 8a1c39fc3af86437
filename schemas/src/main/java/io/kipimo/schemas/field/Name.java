package io.kipimo.schemas.field;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A text that names something: not empty, no control characters, no slash, which separates scopes. In a list, each
 * element must be such a text; in a map, each key.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Name {
    /** Whether the text may be empty, which means that nothing is named. */
    boolean mayBeEmpty() default false;
}
