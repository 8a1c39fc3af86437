package io.kipimo.schemas.field;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A text in a language that its reader parses, such as JSON: any characters, or none. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Document {
    /** Greatest length, UTF-16 code units. */
    int longest() default Integer.MAX_VALUE;
}
