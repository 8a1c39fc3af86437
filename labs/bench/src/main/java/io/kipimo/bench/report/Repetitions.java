package io.kipimo.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/** Results of the measured repetitions of one subject, without warm-up. */
public final class Repetitions<R> {
    private final List<R> results = new ArrayList<>();

    public void add(R result) {
        results.add(result);
    }

    public List<R> all() {
        return List.copyOf(results);
    }

    public R last() {
        return results.get(results.size() - 1);
    }

    /** The greatest value of a figure, which must be a rate. */
    public double best(ToDoubleFunction<R> figure) {
        return results.stream().mapToDouble(figure).max().orElseThrow();
    }

    public double median(ToDoubleFunction<R> figure) {
        double[] sorted = results.stream().mapToDouble(figure).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    public double mean(ToDoubleFunction<R> figure) {
        return sum(figure) / results.size();
    }

    /** Half of the 95 % confidence interval of the mean (Student); NaN for one repetition. */
    public double halfWidth(ToDoubleFunction<R> figure) {
        int count = results.size();
        if (count < 2) {
            return Double.NaN;
        }
        double[] values = results.stream().mapToDouble(figure).toArray();
        double t = new TDistribution(null, count - 1).inverseCumulativeProbability(0.975);
        return t * Math.sqrt(StatUtils.variance(values) / count);
    }

    public double sum(ToDoubleFunction<R> figure) {
        return results.stream().mapToDouble(figure).sum();
    }
}
