package io.kipimo.simulator.scenario;

import java.util.List;

/** An invalid scenario. The message has one line for each problem, with key, value and what is allowed. */
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
