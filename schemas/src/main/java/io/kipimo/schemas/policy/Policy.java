package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Policy of one service; topic {@code policies}, compacted by service.
 *
 * @param version increases with every change; decisions carry it
 * @param metrics similarity functions, the primary one first, at least one
 * @param topK default size of an answer
 * @param expirationWindowMillis how long after a query's start late results count
 * @param windowMillis averaging window; a multiple of {@code slideMillis}
 * @param classes at least one, names unique
 * @param killSwitch ends control of the service: every class gets its safe fraction, and no copies
 *     are sent
 * @param replication empty: no replication factors are controlled
 */
public record Policy(
        @Name String service,
        long version,
        List<String> metrics,
        MergePolicy merge,
        @Range(least = 1, most = Range.MOST_ITEMS) int topK,
        @Range(least = 1, most = Range.DAY_MILLIS) long expirationWindowMillis,
        @Range(least = 100, leastOf = "slideMillis", most = Range.DAY_MILLIS) long windowMillis,
        @Range(least = 100, most = Range.DAY_MILLIS) long slideMillis,
        List<ClassPolicy> classes,
        AdmissionPolicy admission,
        SamplingPolicy sampling,
        boolean killSwitch,
        Optional<ReplicationPolicy> replication) {

    /** The policy of one class; empty if the class is not configured. */
    public Optional<ClassPolicy> classPolicy(String queryClass) {
        return classes.stream().filter(c -> c.name().equals(queryClass)).findFirst();
    }

    /** The protected class, which has the smallest priority number. */
    public ClassPolicy highestClass() {
        return classes.stream().min(Comparator.comparingInt(ClassPolicy::priority)).orElseThrow();
    }

    /** A copy with this version. */
    public Policy withVersion(long number) {
        return toBuilder().version(number).build();
    }

    /** A copy with these classes. */
    public Policy withClasses(List<ClassPolicy> others) {
        return toBuilder().classes(List.copyOf(others)).build();
    }

    /**
     * A copy with this override of one class, or without one; unchanged if there is no such class.
     */
    public Policy withOverride(String queryClass, Optional<ManualOverride> override) {
        return withClasses(
                classes.stream()
                        .map(c -> c.name().equals(queryClass) ? c.withOverride(override) : c)
                        .toList());
    }

    public Policy withKillSwitch(boolean on) {
        return toBuilder().killSwitch(on).build();
    }

    /** A copy with this replication policy, or without one. */
    public Policy withReplication(Optional<ReplicationPolicy> other) {
        return toBuilder().replication(other).build();
    }

    /** A copy with this admission policy. */
    public Policy withAdmission(AdmissionPolicy other) {
        return toBuilder().admission(other).build();
    }

    /** A copy with this sampling policy. */
    public Policy withSampling(SamplingPolicy other) {
        return toBuilder().sampling(other).build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder with the values of this policy. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builder that starts with the defaults. */
    public static final class Builder {
        private String service = "";
        private long version;
        private List<String> metrics = List.of();
        private MergePolicy merge = MergePolicy.TOP_K;
        private int topK = 20;
        private long expirationWindowMillis = 10_000;
        private long windowMillis = 60_000;
        private long slideMillis = 10_000;
        private List<ClassPolicy> classes = List.of();
        private AdmissionPolicy admission = AdmissionPolicy.DEFAULT;
        private SamplingPolicy sampling = SamplingPolicy.DEFAULT;
        private boolean killSwitch;
        private Optional<ReplicationPolicy> replication = Optional.empty();

        private Builder() {}

        private Builder(Policy other) {
            service = other.service;
            version = other.version;
            metrics = other.metrics;
            merge = other.merge;
            topK = other.topK;
            expirationWindowMillis = other.expirationWindowMillis;
            windowMillis = other.windowMillis;
            slideMillis = other.slideMillis;
            classes = other.classes;
            admission = other.admission;
            sampling = other.sampling;
            killSwitch = other.killSwitch;
            replication = other.replication;
        }

        public Builder service(String value) {
            service = value;
            return this;
        }

        public Builder version(long value) {
            version = value;
            return this;
        }

        public Builder metrics(List<String> value) {
            metrics = value;
            return this;
        }

        public Builder merge(MergePolicy value) {
            merge = value;
            return this;
        }

        public Builder topK(int value) {
            topK = value;
            return this;
        }

        public Builder expirationWindowMillis(long value) {
            expirationWindowMillis = value;
            return this;
        }

        public Builder windowMillis(long value) {
            windowMillis = value;
            return this;
        }

        public Builder slideMillis(long value) {
            slideMillis = value;
            return this;
        }

        public Builder classes(List<ClassPolicy> value) {
            classes = value;
            return this;
        }

        public Builder admission(AdmissionPolicy value) {
            admission = value;
            return this;
        }

        public Builder sampling(SamplingPolicy value) {
            sampling = value;
            return this;
        }

        public Builder killSwitch(boolean value) {
            killSwitch = value;
            return this;
        }

        public Builder replication(Optional<ReplicationPolicy> value) {
            replication = value;
            return this;
        }

        public Policy build() {
            return new Policy(
                    service,
                    version,
                    metrics,
                    merge,
                    topK,
                    expirationWindowMillis,
                    windowMillis,
                    slideMillis,
                    classes,
                    admission,
                    sampling,
                    killSwitch,
                    replication);
        }
    }
}
