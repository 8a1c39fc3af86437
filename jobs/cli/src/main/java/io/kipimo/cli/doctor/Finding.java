package io.kipimo.cli.doctor;

/**
 * One result of a check.
 *
 * @param subject what was checked, such as {@code topics}
 * @param advice what to do; empty if nothing
 */
record Finding(Level level, String subject, String text, String advice) {
    /** Severity of a finding. */
    enum Level {
        OK,
        /** Information for the user; the system works. */
        NOTE,
        /** A fault: something does not work, or nothing is measured. */
        WRONG
    }

    static Finding ok(String subject, String text) {
        return new Finding(Level.OK, subject, text, "");
    }

    static Finding note(String subject, String text, String advice) {
        return new Finding(Level.NOTE, subject, text, advice);
    }

    static Finding wrong(String subject, String text, String advice) {
        return new Finding(Level.WRONG, subject, text, advice);
    }
}
