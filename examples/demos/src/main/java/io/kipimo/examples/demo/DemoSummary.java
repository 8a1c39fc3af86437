package io.kipimo.examples.demo;

import java.util.List;

/**
 * Results of a demo.
 *
 * @param machine description of the machine and of the derived load, a sentence
 * @param notes descriptions of the runs, a sentence each
 */
record DemoSummary(String machine, double objective, List<RunResult> runs, List<String> notes) {

    /**
     * Whether the control loop worked: every run was measured, and controllers changed the fraction
     * in the controlled runs.
     */
    boolean loopRan() {
        return runs.size() == WayOfControl.values().length
                && runs.stream().allMatch(r -> r.samples() > 0 && r.windows() > 0)
                && runs.stream().allMatch(r -> r.decisions() > 0);
    }
}
