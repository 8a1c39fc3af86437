package io.kipimo.console.model;

import java.util.Locale;

/** One word for a class. */
public enum Status {
    /** Nothing says that something is wrong. */
    OK,
    /** A person should look. */
    WRONG,
    /** Too little is measured to say either; not the same as fine. */
    UNKNOWN,
    /** Nobody asks. */
    IDLE;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
