package io.kipimo.cli.terminal;

import java.util.List;

/** Reports invalid input of the user. Each problem is one line that states what is allowed. */
public final class InputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Greatest number of problems that are printed. */
    private static final int MOST = 30;

    public InputException(String problem) {
        super(problem);
    }

    /** Reports several problems at once. */
    public InputException(List<String> problems) {
        super(
                problems.size() <= MOST
                        ? String.join("\n", problems)
                        : String.join("\n", problems.subList(0, MOST)) + "\nand " + (problems.size() - MOST) + " more");
    }

    /** Throws this exception with the problem if the input is invalid. */
    public static void throwIf(boolean isInvalid, String problem) {
        if (isInvalid) {
            throw new InputException(problem);
        }
    }
}
