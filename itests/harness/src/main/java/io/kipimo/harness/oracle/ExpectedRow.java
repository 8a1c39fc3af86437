package io.kipimo.harness.oracle;

import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Score;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * The expected row of one query.
 *
 * @param lowIsOpen whether the low ends of the scores depend on what the job learned from other queries; if so, they
 *     are not compared exactly
 * @param truth value of the primary metric if no result had been lost; empty: unknown
 * @param isRaised whether a lost result scored an item of the answer higher than all results that arrived; if so, the
 *     truth may be above the interval
 */
public record ExpectedRow(Measurement measurement, boolean lowIsOpen, OptionalDouble truth, boolean isRaised) {
    private static final double TOLERANCE = 1e-9;

    /** Differences between an actual row and this one, one line for each field; empty if the row is right. */
    public List<String> differences(Measurement actual) {
        Differences d = new Differences();
        d.compare("service", measurement.service(), actual.service());
        d.compare("query id", measurement.queryId(), actual.queryId());
        d.compare("class", measurement.queryClass(), actual.queryClass());
        d.compare("variant", measurement.variant(), actual.variant());
        d.compare("started at", measurement.startedAtMillis(), actual.startedAtMillis());
        d.compare("measured at", measurement.measuredAtMillis(), actual.measuredAtMillis());
        d.compare("completeness", measurement.completeness(), actual.completeness());
        d.compare("scores", measurement.scores().size(), actual.scores().size());
        for (int i = 0;
                i < Math.min(measurement.scores().size(), actual.scores().size());
                i++) {
            compare(d, measurement.scores().get(i), actual.scores().get(i));
        }
        d.compareNumbers(
                "not asked loss",
                measurement.notAskedLoss().orElse(-1.0),
                actual.notAskedLoss().orElse(-1.0));
        d.compare("unmeasurable", measurement.unmeasurable(), actual.unmeasurable());
        d.compare("degraded", measurement.degraded(), actual.degraded());
        d.compare("top k", measurement.topK(), actual.topK());
        d.compare("truncated", measurement.truncated(), actual.truncated());
        d.compare(
                "components",
                measurement.components().size(),
                actual.components().size());
        for (ComponentShare expected : measurement.components()) {
            actual.components().stream()
                    .filter(share -> share.component().equals(expected.component()))
                    .findFirst()
                    .ifPresentOrElse(
                            share -> compare(d, expected, share),
                            () -> d.lines.add("component " + expected.component() + ": absent"));
        }
        return d.lines;
    }

    private void compare(Differences d, Score expected, Score actual) {
        String name = "score " + expected.metric();
        d.compare(name, expected.metric(), actual.metric());
        d.compareNumbers(name + " high", expected.high(), actual.high());
        // The record itself enforces 0 <= low <= high.
        if (!lowIsOpen) {
            d.compareNumbers(name + " low", expected.low(), actual.low());
        }
    }

    private static void compare(Differences d, ComponentShare expected, ComponentShare actual) {
        String name = "component " + expected.component();
        d.compare(name + " outcome", expected.outcome(), actual.outcome());
        d.compare(name + " latency", expected.latencyMicros(), actual.latencyMicros());
        d.compare(name + " missing", expected.missing(), actual.missing());
        d.compareNumbers(name + " lost quality", expected.lostQuality(), actual.lostQuality());
        d.compareNumbers(name + " contribution", expected.contribution(), actual.contribution());
    }

    private static final class Differences {
        private final List<String> lines = new ArrayList<>();

        void compare(String field, Object expected, Object actual) {
            if (!Objects.equals(expected, actual)) {
                lines.add(field + ": expected " + expected + ", was " + actual);
            }
        }

        void compareNumbers(String field, double expected, double actual) {
            if (!(Math.abs(expected - actual) <= TOLERANCE)) {
                lines.add(field + ": expected " + expected + ", was " + actual);
            }
        }
    }
}
