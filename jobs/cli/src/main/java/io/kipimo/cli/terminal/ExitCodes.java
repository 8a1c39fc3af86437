package io.kipimo.cli.terminal;

/** Exit codes of commands. */
public final class ExitCodes {
    public static final int FINE = 0;

    /** The command worked and its answer is no: something is missing or a check failed. */
    public static final int NO = 1;

    /** Bad usage or bad input, or an unavailable broker. */
    public static final int BAD_INPUT = 2;

    /** The command worked, but there is too little data for an answer. */
    public static final int NOT_ENOUGH = 3;

    private ExitCodes() {}
}
