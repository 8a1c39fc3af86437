package io.kipimo.examples.demo;

import java.util.List;

/**
 * What came out of a demo.
 *
 * @param machine what was found and set, a sentence
 * @param notes what was run, a sentence each
 */
record DemoSummary(String machine, double objective, List<RunResult> runs, List<String> notes) {

    /**
     * Whether the loop really ran: every run was measured, and the controlled ones were steered.
     */
    boolean loopRan() {
        return runs.size() == WayOfControl.values().length
                && runs.stream().allMatch(r -> r.samples() > 0 && r.windows() > 0)
                && runs.stream().allMatch(r -> r.decisions() > 0);
    }
}
