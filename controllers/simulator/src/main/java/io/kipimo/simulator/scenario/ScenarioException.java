package io.kipimo.simulator.scenario;

import java.util.List;

/** A scenario cannot be run; a problem a line, each naming key, value and what is allowed. */
public final class ScenarioException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    public ScenarioException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
