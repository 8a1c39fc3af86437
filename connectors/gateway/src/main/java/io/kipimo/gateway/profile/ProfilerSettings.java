package io.kipimo.gateway.profile;

import java.util.ArrayList;
import java.util.List;

/**
 * What is tried out.
 *
 * @param targets path and query of real queries, such as {@code /search?q=water}; at least one
 * @param perSecond of queries, Poisson; above 0
 * @param trialMillis of each trial, at least 100
 * @param samplingRates to be tried, each above 0, at most 1
 * @param mostSlowdown of unsampled queries that is allowed, such as 0.07
 */
public record ProfilerSettings(
        List<String> targets,
        double perSecond,
        long trialMillis,
        List<Double> samplingRates,
        double mostSlowdown) {
    /**
     * @throws IllegalArgumentException that names every problem
     */
    public ProfilerSettings {
        targets = List.copyOf(targets);
        samplingRates = List.copyOf(samplingRates);
        List<String> problems = new ArrayList<>();
        if (targets.isEmpty()) {
            problems.add("queries are none; allowed: at least one");
        }
        for (String target : targets) {
            if (!target.startsWith("/")) {
                problems.add("query is '" + target + "'; allowed: a path, /search?q=water");
            }
        }
        if (!(perSecond > 0 && perSecond <= 1e6)) {
            problems.add("queries a second are " + perSecond + "; allowed: above 0, to 1000000");
        }
        if (trialMillis < 100) {
            problems.add("a trial takes " + trialMillis + " ms; allowed: at least 100");
        }
        if (samplingRates.isEmpty()) {
            problems.add("sampling rates are none; allowed: at least one");
        }
        for (double rate : samplingRates) {
            if (!(rate > 0 && rate <= 1)) {
                problems.add("sampling rate is " + rate + "; allowed: above 0, to 1");
            }
        }
        if (!(mostSlowdown >= 0 && mostSlowdown <= 10)) {
            problems.add("most slow-down is " + mostSlowdown + "; allowed: 0..10");
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
    }
}
