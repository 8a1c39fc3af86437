package io.kipimo.schemas.field;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** In files of settings, the unit of this number follows the value and is not part of the key. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Unit {
    /** Unit of the number. */
    enum Of {
        /** Milliseconds, written {@code 250ms}, {@code 2s}, {@code 1m}, {@code 1h}. */
        MILLIS,
        /** Bytes, written {@code 100}, {@code 64k}, {@code 256m}, {@code 1g}. */
        BYTES
    }

    Of value();
}
