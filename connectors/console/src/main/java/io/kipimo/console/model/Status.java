package io.kipimo.console.model;

import java.util.Locale;

/** Status of a class. */
public enum Status {
    /** There is no sign of a problem. */
    OK,
    /** A person should act. */
    WRONG,
    /** Too little is measured to decide. This does not mean fine. */
    UNKNOWN,
    /** There are no queries. */
    IDLE;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
