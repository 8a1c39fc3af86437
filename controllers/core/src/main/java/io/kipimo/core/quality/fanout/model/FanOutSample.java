package io.kipimo.core.quality.fanout.model;

import io.kipimo.core.quality.deadline.ComponentProfile;
import io.kipimo.core.quality.deadline.QueryProfile;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * A query from which a model learns. The query asked these components, and all of their results came. The record owns
 * its arrays. Stored field by field.
 *
 * @param components names, sorted
 * @param features hashes; at least one
 * @param contributions of each component to the full answer, with a sum above 0
 * @param work of each component: its latency, microseconds; 0: unknown
 */
public record FanOutSample(String[] components, long[] features, double[] contributions, double[] work) {
    private static final int MOST_COMPONENTS = 1_000;

    /** Sum of the latencies of all components, microseconds. */
    double fullWork() {
        return DoubleStream.of(work).sum();
    }

    /**
     * The sample of a profile. Empty if the profile has no features, is incomplete, has fewer than two or too many
     * components, or none of them contributes.
     */
    public static Optional<FanOutSample> of(QueryProfile profile) {
        List<ComponentProfile> components = profile.components().stream()
                .sorted(Comparator.comparing(ComponentProfile::component))
                .toList();
        double sum =
                components.stream().mapToDouble(ComponentProfile::contribution).sum();
        if (profile.features().length == 0
                || !profile.isComplete()
                || components.size() < 2
                || components.size() > MOST_COMPONENTS
                || !(sum > 0)) {
            return Optional.empty();
        }
        return Optional.of(new FanOutSample(
                components.stream().map(ComponentProfile::component).toArray(String[]::new),
                profile.features(),
                components.stream().mapToDouble(ComponentProfile::contribution).toArray(),
                components.stream().mapToDouble(ComponentProfile::latencyMicros).toArray()));
    }
}
