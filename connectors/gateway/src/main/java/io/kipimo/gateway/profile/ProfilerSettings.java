package io.kipimo.gateway.profile;

import java.util.ArrayList;
import java.util.List;

/**
 * Settings of the profiler.
 *
 * @param targets path and query of real queries, such as {@code /search?q=water}; at least one
 * @param perSecond rate of the queries, Poisson; above 0
 * @param trialMillis length of each trial, at least 100
 * @param samplingRates rates to try, each above 0, at most 1
 * @param mostSlowdown greatest relative slowdown of unsampled queries, such as 0.07
 */
public record ProfilerSettings(
        List<String> targets, double perSecond, long trialMillis, List<Double> samplingRates, double mostSlowdown) {
    /** @throws IllegalArgumentException if a setting is not allowed; the message lists all problems */
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
