package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What one service wants; topic {@code policies}, compacted by service.
 *
 * @param version rises with every change; decisions carry it
 * @param metrics similarity functions, the primary one first, at least one
 * @param topK default size of an answer
 * @param expirationWindowMillis how long after a query's start its late results still count
 * @param windowMillis averaging window; a multiple of {@code slideMillis}
 * @param classes at least one, names unique
 * @param killSwitch Kipimo steps aside: every class gets its safe fraction, and no copies are sent
 * @param replication empty: factors are not this service's matter
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

    /** The policy of one class, empty where it is not named. */
    public Optional<ClassPolicy> classPolicy(String queryClass) {
        return classes.stream().filter(c -> c.name().equals(queryClass)).findFirst();
    }

    /** The class that is protected: the one with the smallest priority number. */
    public ClassPolicy highestClass() {
        return classes.stream().min(Comparator.comparingInt(ClassPolicy::priority)).orElseThrow();
    }

    /** The same, as that version. */
    public Policy withVersion(long number) {
        return toBuilder().version(number).build();
    }

    /** The same with other classes. */
    public Policy withClasses(List<ClassPolicy> others) {
        return toBuilder().classes(List.copyOf(others)).build();
    }

    /**
     * The same with another override of one class, or without one; fine if it has no such class.
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

    /** The same with other rules of replication, or without. */
    public Policy withReplication(Optional<ReplicationPolicy> other) {
        return toBuilder().replication(other).build();
    }

    /** The same, steered otherwise. */
    public Policy withAdmission(AdmissionPolicy other) {
        return toBuilder().admission(other).build();
    }

    /** The same, sampled otherwise. */
    public Policy withSampling(SamplingPolicy other) {
        return toBuilder().sampling(other).build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that has the values of this one. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Sets what differs from the defaults. */
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
