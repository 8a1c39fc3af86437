package io.kipimo.schemas.quality;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;
import java.util.List;
import java.util.Optional;

/**
 * Measurement of one sampled query; topic {@code quality}. There is exactly one per query, so
 * (service, query id) is its identity.
 *
 * @param measuredAtMillis event time of the last event needed, or of the end of the window, epoch
 *     milliseconds
 * @param degraded whether a component timed out or failed; otherwise the quality is 1 by
 *     construction
 * @param scores one per metric of the policy, the primary one first; empty without a {@linkplain
 *     Completeness#hasQuality quality}
 * @param components each invoked component, once
 * @param unmeasurable set if and only if {@link Completeness#NOT_MEASURABLE}
 */
public record Measurement(
        @Name String service,
        @Text String queryId,
        String queryClass,
        @Range(least = 1, most = Range.LATEST_MILLIS) long startedAtMillis,
        @Range(least = 1, most = Range.LATEST_MILLIS) long measuredAtMillis,
        Completeness completeness,
        boolean degraded,
        @Range(most = Range.MOST_ITEMS) int topK,
        List<Score> scores,
        List<ComponentShare> components,
        boolean truncated,
        Optional<Unmeasurable> unmeasurable) {

    /** A copy with this class. */
    public Measurement ofClass(String otherClass) {
        return otherClass.equals(queryClass) ? this : toBuilder().queryClass(otherClass).build();
    }

    /** A copy with these scores. */
    public Measurement withScores(List<Score> others) {
        return toBuilder().scores(others).build();
    }

    /** A copy without loss attributed to components. */
    public Measurement withoutLosses() {
        return toBuilder()
                .components(
                        components.stream()
                                .map(
                                        c ->
                                                new ComponentShare(
                                                        c.component(),
                                                        c.outcome(),
                                                        c.latencyMicros(),
                                                        c.missing(),
                                                        0,
                                                        c.contribution()))
                                .toList())
                .build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder with the values of this measurement. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builder that starts with the defaults. */
    public static final class Builder {
        private String service = "";
        private String queryId = "";
        private String queryClass = "";
        private long startedAtMillis;
        private long measuredAtMillis;
        private Completeness completeness = Completeness.COMPLETE;
        private boolean degraded;
        private int topK;
        private List<Score> scores = List.of();
        private List<ComponentShare> components = List.of();
        private boolean truncated;
        private Optional<Unmeasurable> unmeasurable = Optional.empty();

        private Builder() {}

        private Builder(Measurement other) {
            service = other.service;
            queryId = other.queryId;
            queryClass = other.queryClass;
            startedAtMillis = other.startedAtMillis;
            measuredAtMillis = other.measuredAtMillis;
            completeness = other.completeness;
            degraded = other.degraded;
            topK = other.topK;
            scores = other.scores;
            components = other.components;
            truncated = other.truncated;
            unmeasurable = other.unmeasurable;
        }

        public Builder service(String value) {
            service = value;
            return this;
        }

        public Builder queryId(String value) {
            queryId = value;
            return this;
        }

        public Builder queryClass(String value) {
            queryClass = value;
            return this;
        }

        public Builder startedAtMillis(long value) {
            startedAtMillis = value;
            return this;
        }

        public Builder measuredAtMillis(long value) {
            measuredAtMillis = value;
            return this;
        }

        public Builder completeness(Completeness value) {
            completeness = value;
            return this;
        }

        public Builder degraded(boolean value) {
            degraded = value;
            return this;
        }

        public Builder topK(int value) {
            topK = value;
            return this;
        }

        public Builder scores(List<Score> value) {
            scores = value;
            return this;
        }

        public Builder components(List<ComponentShare> value) {
            components = value;
            return this;
        }

        public Builder truncated(boolean value) {
            truncated = value;
            return this;
        }

        public Builder unmeasurable(Optional<Unmeasurable> value) {
            unmeasurable = value;
            return this;
        }

        public Measurement build() {
            return new Measurement(
                    service,
                    queryId,
                    queryClass,
                    startedAtMillis,
                    measuredAtMillis,
                    completeness,
                    degraded,
                    topK,
                    scores,
                    components,
                    truncated,
                    unmeasurable);
        }
    }
}
