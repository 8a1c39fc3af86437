package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Distinct;
import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.field.Size;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Policy of one service; topic {@code policies}, compacted by service.
 *
 * @param version increases with every change; decisions carry it
 * @param metrics similarity functions, the primary one first, at least one
 * @param topK default size of an answer
 * @param expirationWindowMillis time after a query's start within which late results count, milliseconds
 * @param windowMillis length of the averaging window, milliseconds; a multiple of {@code slideMillis}
 * @param classes at least one, names unique
 * @param killSwitch ends control of the service: every class gets its safe fraction, and no copies are sent
 * @param replication settings of the control of replication factors; empty: none are controlled
 * @param fanOut settings for asking fewer components; empty: all components are always asked
 */
@WithBuilder
public record Policy(
        @Name String service,
        long version,

        @Initializer(source = List.class, value = "of") @Name @Distinct @Size(least = 1)
        List<String> metrics,

        MergePolicy merge,
        @Range(least = 1, most = Range.MOST_ITEMS) int topK,
        @Range(least = 1, most = Range.DAY_MILLIS) long expirationWindowMillis,

        @Range(least = 100, leastOf = "slideMillis", most = Range.DAY_MILLIS)
        long windowMillis,

        @Range(least = 100, most = Range.DAY_MILLIS) long slideMillis,

        @Initializer(source = List.class, value = "of") @Distinct @Size(least = 1)
        List<ClassPolicy> classes,

        AdmissionPolicy admission,
        SamplingPolicy sampling,
        boolean killSwitch,
        Optional<ReplicationPolicy> replication,
        Optional<FanOutPolicy> fanOut)
        implements PolicyBuilder.With {
    private static final Policy EMPTY = PolicyBuilder.builder()
            .service("")
            .merge(MergePolicy.TOP_K)
            .topK(20)
            .expirationWindowMillis(10_000)
            .windowMillis(60_000)
            .slideMillis(10_000)
            .admission(AdmissionPolicy.DEFAULT)
            .sampling(SamplingPolicy.DEFAULT)
            .build();

    /** The policy of one class; empty if the class is not configured. */
    public Optional<ClassPolicy> classPolicy(String queryClass) {
        return classes.stream().filter(c -> c.name().equals(queryClass)).findFirst();
    }

    /** The protected class, which has the smallest priority number. */
    public ClassPolicy highestClass() {
        return classes.stream()
                .min(Comparator.comparingInt(ClassPolicy::priority))
                .orElseThrow();
    }

    /** This class of the service. */
    public ServiceClass serviceClass(ClassPolicy c) {
        return new ServiceClass(service, c.name());
    }

    /** A copy with this override of one class, or without one; unchanged if there is no such class. */
    public Policy withOverride(String queryClass, Optional<ManualOverride> override) {
        return withClasses(classes.stream()
                .map(c -> c.name().equals(queryClass) ? c.withOverride(override) : c)
                .toList());
    }

    /** A builder with the defaults. */
    public static PolicyBuilder builder() {
        return EMPTY.toBuilder();
    }

    /** A builder with the values of this policy. */
    public PolicyBuilder toBuilder() {
        return PolicyBuilder.builder(this);
    }
}
