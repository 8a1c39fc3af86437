package io.kipimo.core.quality.window;

import io.kipimo.core.quality.estimate.CostSums;
import io.kipimo.core.quality.estimate.QualityHistogram;
import io.kipimo.core.quality.estimate.StratumSums;
import io.kipimo.core.quality.merge.AttributedLosses;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sums up measurements of one interval in place, so that not every measurement needs a {@link Pane} of its own.
 * Mutable, for one thread.
 */
final class PaneTally {
    private final Pane pane;
    private final List<MetricTally> metrics = new ArrayList<>(2);
    private final List<MetricTally> explored = new ArrayList<>(2);
    private final Map<String, ComponentLosses> components = new HashMap<>();
    private final CostSums costs = new CostSums();

    PaneTally(long startMillis) {
        pane = new Pane(startMillis);
    }

    void add(Measurement measurement) {
        if (measurement.completeness() == Completeness.ORPHAN) {
            pane.orphans++;
            return;
        }
        if (!measurement.completeness().hasQuality()) {
            pane.unmeasurableSamples++;
            pane.differingSamples += measurement.unmeasurable().equals(Optional.of(Unmeasurable.MERGE_DIFFERS)) ? 1 : 0;
            return;
        }
        int weight = measurement.represents();
        pane.samples++;
        pane.furtherRepresented += weight - 1;
        pane.degraded += measurement.degraded() ? 1 : 0;
        if (measurement.completeness() == Completeness.COMPLETE) {
            pane.complete++;
        } else {
            pane.expired++;
        }
        for (Score score : measurement.scores()) {
            tally(metrics, score.metric()).add(score, measurement);
            if (measurement.explored()) {
                tally(explored, score.metric()).add(score, measurement);
            }
        }
        pane.sampledDeliberateLoss += measurement.deliberateLoss();
        if (measurement.degraded()) {
            addCosts(measurement);
            double unseen = AttributedLosses.unseenByEach(measurement);
            for (ComponentShare share : measurement.components()) {
                if (share.lostQuality() != 0 || share.missing()) {
                    tallyOf(share).lose(weight * share.lostQuality(), share.missing() ? weight * unseen : 0);
                }
            }
        }
    }

    private void addCosts(Measurement measurement) {
        List<String> missing = new ArrayList<>();
        for (ComponentShare share : measurement.components()) {
            if (share.outcome().isLate()) {
                missing.add(share.component());
                ComponentLosses tally = tallyOf(share);
                tally.lateAnswers += measurement.represents();
                tally.exploredAnswers += measurement.explored() ? measurement.represents() : 0;
            }
        }
        if (measurement.explored()) {
            // Their losses are known, and those of answers that ask fewer are others.
            return;
        }
        costs.add(missing);
        for (Score score : measurement.scores()) {
            Score late = measurement.ofLateness(score);
            costs.addLoss(missing, late.metric(), late.low(), late.high());
        }
    }

    private ComponentLosses tallyOf(ComponentShare share) {
        ComponentLosses known = components.get(share.component());
        if (known == null) {
            known = new ComponentLosses();
            components.put(share.component(), known);
        }
        return known;
    }

    private static MetricTally tally(List<MetricTally> metrics, String metric) {
        for (MetricTally tally : metrics) {
            if (tally.metric.equals(metric)) {
                return tally;
            }
        }
        MetricTally tally = new MetricTally(metric);
        metrics.add(tally);
        return tally;
    }

    /** Sums of the degraded measurements that are not explored; they teach the costs of components. */
    CostSums costs() {
        return costs;
    }

    /** The sums. The tally is not usable afterwards. */
    Pane toPane() {
        for (MetricTally tally : metrics) {
            pane.metrics.put(tally.metric, tally.toSums());
        }
        for (MetricTally tally : explored) {
            pane.addExplored(tally.metric, tally.toSums());
        }
        components.forEach((component, tally) -> {
            if (tally.lateAnswers > 0) {
                pane.addSampledMissing(component, tally.lateAnswers);
            }
            if (tally.exploredAnswers > 0) {
                pane.addExploredMissing(component, tally.exploredAnswers);
            }
            if (tally.hasLost) {
                pane.add(component, new ComponentSums(0, 0, tally.seen, tally.unseen));
            }
        });
        return pane;
    }

    /** Mutable sums of one component. */
    private static final class ComponentLosses {
        private long lateAnswers;

        /** Part of {@code lateAnswers} that is explored. */
        private long exploredAnswers;

        private boolean hasLost;
        private double seen;
        private double unseen;

        void lose(double moreSeen, double moreUnseen) {
            hasLost = true;
            seen += moreSeen;
            unseen += moreUnseen;
        }
    }

    /** Mutable form of {@link MetricSums}. */
    private static final class MetricTally {
        private final String metric;
        private final StratumTally all = new StratumTally();
        private final StratumTally degradedLow = new StratumTally();
        private final StratumTally degradedHigh = new StratumTally();

        // Few bins: a pane is short, and answers without a loss share one. Ascending.
        private int[] bins = new int[4];
        private int[] counts = new int[4];
        private int size;

        MetricTally(String metric) {
            this.metric = metric;
        }

        void add(Score score, Measurement measurement) {
            int weight = measurement.represents();
            all.add(score.low(), weight);
            count(QualityHistogram.binOf(score.low()), weight);
            if (measurement.degraded()) {
                Score late = measurement.ofLateness(score);
                degradedLow.add(late.low(), weight);
                degradedHigh.add(late.high(), weight);
            }
        }

        private void count(int bin, int weight) {
            int place = Arrays.binarySearch(bins, 0, size, bin);
            if (place < 0) {
                place = -place - 1;
                bins = insert(bins, size, place, bin);
                counts = insert(counts, size++, place, 0);
            }
            counts[place] += weight;
        }

        private static int[] insert(int[] values, int size, int place, int value) {
            int[] larger = size < values.length ? values : Arrays.copyOf(values, 2 * size);
            System.arraycopy(larger, place, larger, place + 1, size - place);
            larger[place] = value;
            return larger;
        }

        MetricSums toSums() {
            return new MetricSums(
                    all.toSums(),
                    degradedLow.toSums(),
                    degradedHigh.toSums(),
                    new QualityHistogram(Arrays.copyOf(bins, size), Arrays.copyOf(counts, size)));
        }
    }

    /** Mutable form of {@link StratumSums}. */
    private static final class StratumTally {
        private int count;
        private double sum;
        private double sumOfSquares;
        private long weight;
        private long squaredWeight;

        void add(double quality, int queries) {
            count++;
            sum += queries * quality;
            sumOfSquares += queries * quality * quality;
            weight += queries;
            squaredWeight += (long) queries * queries;
        }

        StratumSums toSums() {
            return new StratumSums(count, sum, sumOfSquares, weight, squaredWeight);
        }
    }
}
