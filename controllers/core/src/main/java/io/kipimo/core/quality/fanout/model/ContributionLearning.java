package io.kipimo.core.quality.fanout.model;

import io.kipimo.schemas.policy.ComponentCost;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Learns the queries of one class in batches, and begins anew after a change of layout. */
public final class ContributionLearning {
    /** Share of a batch that must have the model's components. */
    private static final double LEAST_SHARE = 0.1;

    private ContributionLearning() {}

    /**
     * Learns a batch. Queries that asked other components than the model's teach nothing. If more than nine tenths of
     * the batch asked others, the layout has changed: a new model begins, with the most frequent list of components.
     *
     * @param known the model so far; it is changed
     * @param batch at least one query
     */
    public static ContributionLearner learn(
            Optional<ContributionLearner> known, String service, Collection<FanOutSample> batch) {
        return learn(known, service, batch, List.of());
    }

    /**
     * Learns a batch as {@link #learn(Optional, String, Collection)} does, with stated costs.
     *
     * @param costs of components for a usual query, in place of their latencies; unused unless they name all components
     *     of a query
     */
    public static ContributionLearner learn(
            Optional<ContributionLearner> known,
            String service,
            Collection<FanOutSample> batch,
            List<ComponentCost> costs) {
        Map<List<String>, Integer> layouts = new HashMap<>();
        List<String> usual = List.of();
        for (FanOutSample sample : batch) {
            List<String> layout = List.of(sample.components());
            int count = layouts.merge(layout, 1, Integer::sum);
            usual = count > layouts.getOrDefault(usual, 0) || usual.isEmpty() ? layout : usual;
        }
        ContributionLearner learner = known.filter(
                        l -> layouts.getOrDefault(l.components(), 0) >= LEAST_SHARE * batch.size())
                .orElse(null);
        if (learner == null) {
            learner = new ContributionLearner(
                    service, usual, ContributionModel.MOST_BYTES, ContributionLearner.HALF_LIFE_QUERIES);
        }
        Map<String, Double> stated = new HashMap<>();
        costs.forEach(c -> stated.put(c.name(), c.cost()));
        boolean isStated = stated.keySet().containsAll(learner.components());
        double meanWork =
                batch.stream().mapToDouble(FanOutSample::fullWork).average().orElse(0);
        for (FanOutSample sample : batch) {
            if (learner.components().equals(List.of(sample.components()))) {
                // Stated costs are of a usual query; others cost more or less.
                double scale = meanWork > 0 ? sample.fullWork() / meanWork : 1;
                learner.learn(
                        sample.features(),
                        sample.contributions(),
                        isStated
                                ? learner.components().stream()
                                        .mapToDouble(c -> stated.get(c) * scale)
                                        .toArray()
                                : sample.work());
            }
        }
        return learner;
    }
}
