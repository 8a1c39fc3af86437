package io.kipimo.schemas.policy;

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
        String service,
        long version,
        List<String> metrics,
        MergePolicy merge,
        int topK,
        long expirationWindowMillis,
        long windowMillis,
        long slideMillis,
        List<ClassPolicy> classes,
        AdmissionPolicy admission,
        SamplingPolicy sampling,
        boolean killSwitch,
        Optional<ReplicationPolicy> replication) {

    /** Without replication. */
    public Policy(
            String service,
            long version,
            List<String> metrics,
            MergePolicy merge,
            int topK,
            long expirationWindowMillis,
            long windowMillis,
            long slideMillis,
            List<ClassPolicy> classes,
            AdmissionPolicy admission,
            SamplingPolicy sampling,
            boolean killSwitch) {
        this(
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
                Optional.empty());
    }

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
        return with(number, classes, killSwitch, replication);
    }

    /** The same with other classes. */
    public Policy withClasses(List<ClassPolicy> others) {
        return with(version, List.copyOf(others), killSwitch, replication);
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
        return with(version, classes, on, replication);
    }

    /** The same with other rules of replication, or without. */
    public Policy withReplication(Optional<ReplicationPolicy> other) {
        return with(version, classes, killSwitch, other);
    }

    /** The same, steered otherwise. */
    public Policy withAdmission(AdmissionPolicy other) {
        return with(other, sampling);
    }

    /** The same, sampled otherwise. */
    public Policy withSampling(SamplingPolicy other) {
        return with(admission, other);
    }

    private Policy with(AdmissionPolicy otherAdmission, SamplingPolicy otherSampling) {
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
                otherAdmission,
                otherSampling,
                killSwitch,
                replication);
    }

    private Policy with(
            long number,
            List<ClassPolicy> others,
            boolean kill,
            Optional<ReplicationPolicy> copies) {
        return new Policy(
                service,
                number,
                metrics,
                merge,
                topK,
                expirationWindowMillis,
                windowMillis,
                slideMillis,
                others,
                admission,
                sampling,
                kill,
                copies);
    }
}
