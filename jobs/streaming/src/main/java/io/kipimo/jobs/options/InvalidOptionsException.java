package io.kipimo.jobs.options;

import java.util.List;

/**
 * Reports invalid options. The message lists all problems, one a line, each with the key, the value and what is
 * allowed.
 */
public final class InvalidOptionsException extends Exception {
    private final List<String> problems;

    public InvalidOptionsException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
