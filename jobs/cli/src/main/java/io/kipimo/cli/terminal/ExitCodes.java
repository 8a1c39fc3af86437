package io.kipimo.cli.terminal;

/** What commands end with. */
public final class ExitCodes {
    public static final int FINE = 0;

    /** The command worked and its answer is no: something is missing, some check failed. */
    public static final int NO = 1;

    /** Bad usage or bad input, or a broker that is away. */
    public static final int BAD_INPUT = 2;

    /** The command worked, and too little is known for an answer. */
    public static final int NOT_ENOUGH = 3;

    private ExitCodes() {}
}
