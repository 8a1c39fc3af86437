package io.kipimo.core.quality.estimate;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Sums over sampled degraded answers, from which {@link CostModel} learns what the absence of each component costs.
 * With x the missing components of an answer and y its loss, 1 - quality, these are the sums of x, x x', y, y^2 and x
 * y. Mutable, for one thread; stored field by field.
 */
public final class CostSums {
    /** Limit of component names, because names come from the data; more count as {@link #OTHERS} and share one cost. */
    public static final int MOST_COMPONENTS = 64;

    /** Name under which components beyond {@link #MOST_COMPONENTS} count. */
    public static final String OTHERS = "others";

    /** Weight of a component's answers below which its name may be dropped. */
    private static final double FORGOTTEN = 0.01;

    public String[] components = {};

    /** Sum of weights; a new answer has weight 1. */
    public double answers;

    /** Sum of squared weights. */
    public double squaredWeights;

    /** Sum of the weights of the answers that lack each component. */
    public double[] missing = {};

    /** Sums of the weights of the answers that lack components i and j: lower triangle by rows, j at most i. */
    public double[] pairs = {};

    /** Sums of losses by name of the metric. */
    public Map<String, MetricLosses> losses = new HashMap<>();

    private transient Map<String, Integer> places;

    /** Sums of losses by one metric; stored field by field. */
    public static final class MetricLosses {
        public double answers;
        public double loss;
        public double squaredLoss;

        /** Sum of the widths of the quality intervals, high minus low end; the width is 0 unless EXPIRED. */
        public double unseen;

        public double[] lossWithout = {};
    }

    /**
     * Adds one degraded answer. The caller then adds its losses by {@link #addLoss}.
     *
     * @param lacked its missing components, each once
     */
    public void add(Collection<String> lacked) {
        answers++;
        squaredWeights++;
        int most = Math.min(lacked.size(), MOST_COMPONENTS + 1);
        int[] times = new int[most];
        int[] at = new int[most];
        int size = 0;
        for (String component : lacked) {
            int place = place(component);
            missing[place]++;
            int known = 0;
            while (known < size && at[known] != place) {
                known++;
            }
            if (known == size) {
                at[size++] = place;
            }
            times[known]++;
        }
        for (int a = 0; a < size; a++) {
            for (int b = 0; b <= a; b++) {
                pairs[pair(at[a], at[b])] += (double) times[a] * times[b];
            }
        }
    }

    /**
     * Adds the loss of an answer by one metric.
     *
     * @param lacked as given to {@link #add}
     * @param low low end of the quality, 0..1
     * @param high high end of the quality, 0..1
     */
    public void addLoss(Collection<String> lacked, String metric, double low, double high) {
        MetricLosses sums = losses.computeIfAbsent(metric, m -> new MetricLosses());
        double lost = 1 - low;
        sums.answers++;
        sums.loss += lost;
        sums.squaredLoss += lost * lost;
        sums.unseen += high - low;
        sums.lossWithout = grown(sums.lossWithout, components.length);
        for (String component : lacked) {
            sums.lossWithout[place(component)] += lost;
        }
    }

    public boolean isEmpty() {
        return answers == 0;
    }

    /** Whether every answer has a loss by each of the metrics. */
    private boolean isConsistent() {
        for (MetricLosses sums : losses.values()) {
            if (sums.answers != answers) {
                return false;
            }
        }
        return !losses.isEmpty();
    }

    /**
     * Adds newer sums and forgets older ones, such that about {@code memory} answers count. Newer sums of other metrics
     * replace all that was learned. If their answers do not all have the same metrics, nothing is learned.
     */
    public void learn(CostSums newer, double memory) {
        if (newer.isEmpty() || !newer.isConsistent()) {
            return;
        }
        if (!losses.keySet().equals(newer.losses.keySet())) {
            replaceBy(new CostSums());
        }
        scale(Math.exp(-newer.answers / memory));
        if (components.length >= MOST_COMPONENTS) {
            dropForgotten();
        }
        plus(newer);
    }

    /** Adds sums of further answers. */
    public void plus(CostSums other) {
        int[] at = new int[other.components.length];
        for (int i = 0; i < at.length; i++) {
            at[i] = place(other.components[i]);
            missing[at[i]] += other.missing[i];
        }
        for (int i = 0; i < at.length; i++) {
            for (int j = 0; j <= i; j++) {
                // An off-diagonal pair that becomes a diagonal one stood for both of its orders.
                double times = i != j && at[i] == at[j] ? 2 : 1;
                pairs[pair(at[i], at[j])] += times * other.pairs[pair(i, j)];
            }
        }
        answers += other.answers;
        squaredWeights += other.squaredWeights;
        other.losses.forEach((metric, more) -> {
            MetricLosses sums = losses.computeIfAbsent(metric, m -> new MetricLosses());
            sums.answers += more.answers;
            sums.loss += more.loss;
            sums.squaredLoss += more.squaredLoss;
            sums.unseen += more.unseen;
            sums.lossWithout = grown(sums.lossWithout, components.length);
            for (int i = 0; i < more.lossWithout.length; i++) {
                sums.lossWithout[at[i]] += more.lossWithout[i];
            }
        });
    }

    private void scale(double factor) {
        answers *= factor;
        squaredWeights *= factor * factor;
        scale(missing, factor);
        scale(pairs, factor);
        for (MetricLosses sums : losses.values()) {
            sums.answers *= factor;
            sums.loss *= factor;
            sums.squaredLoss *= factor;
            sums.unseen *= factor;
            scale(sums.lossWithout, factor);
        }
    }

    private static void scale(double[] values, double factor) {
        for (int i = 0; i < values.length; i++) {
            values[i] *= factor;
        }
    }

    /** Drops components that nearly no recent answer lacks, so that renamed components have room. */
    private void dropForgotten() {
        CostSums kept = new CostSums();
        int[] from = new int[components.length];
        int size = 0;
        for (int i = 0; i < components.length; i++) {
            if (missing[i] >= FORGOTTEN) {
                kept.place(components[i]);
                from[size++] = i;
            }
        }
        if (size == components.length) {
            return;
        }
        for (int i = 0; i < size; i++) {
            kept.missing[i] = missing[from[i]];
            for (int j = 0; j <= i; j++) {
                kept.pairs[pair(i, j)] = pairs[pair(from[i], from[j])];
            }
        }
        for (MetricLosses sums : losses.values()) {
            double[] lossWithout = new double[size];
            for (int i = 0; i < size; i++) {
                lossWithout[i] = i < sums.lossWithout.length ? sums.lossWithout[from[i]] : 0;
            }
            sums.lossWithout = lossWithout;
        }
        components = kept.components;
        missing = kept.missing;
        pairs = kept.pairs;
        places = null;
    }

    private void replaceBy(CostSums other) {
        components = other.components;
        answers = other.answers;
        squaredWeights = other.squaredWeights;
        missing = other.missing;
        pairs = other.pairs;
        losses = other.losses;
        places = null;
    }

    /** The place of a component, or of {@link #OTHERS} where there is no room for another name. */
    private int place(String component) {
        if (places == null) {
            places = new HashMap<>();
            for (int i = 0; i < components.length; i++) {
                places.put(components[i], i);
            }
        }
        Integer known = places.get(component);
        if (known != null) {
            return known;
        }
        if (components.length >= MOST_COMPONENTS && !component.equals(OTHERS)) {
            return place(OTHERS);
        }
        int place = components.length;
        components = Arrays.copyOf(components, place + 1);
        components[place] = component;
        missing = grown(missing, place + 1);
        pairs = grown(pairs, pair(place, place) + 1);
        places.put(component, place);
        return place;
    }

    private static double[] grown(double[] values, int size) {
        return values.length >= size ? values : Arrays.copyOf(values, size);
    }

    static int pair(int i, int j) {
        return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
    }
}
