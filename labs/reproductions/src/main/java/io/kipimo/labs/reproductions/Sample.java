package io.kipimo.labs.reproductions;

import io.kipimo.simulator.report.Phrase;
import io.kipimo.simulator.scenario.SimulationResult;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Figures of independent runs: their mean and its 95 % confidence interval (Student).
 *
 * @param values at least two
 */
record Sample(double[] values) {
    /**
     * The mean of a figure over independent runs, with half of its confidence interval, as text.
     *
     * @param format of either number
     */
    static String text(List<SimulationResult> results, ToDoubleFunction<SimulationResult> figure, String format) {
        Sample sample = new Sample(results.stream().mapToDouble(figure).toArray());
        return Phrase.of(format, sample.mean()) + " ± " + Phrase.of(format, sample.halfWidth());
    }

    double mean() {
        return StatUtils.mean(values);
    }

    double halfWidth() {
        double t = new TDistribution(null, values.length - 1).inverseCumulativeProbability(0.975);
        return t * Math.sqrt(StatUtils.variance(values) / values.length);
    }

    double low() {
        return mean() - halfWidth();
    }

    double high() {
        return mean() + halfWidth();
    }

    String text() {
        return Phrase.of("%.3f ± %.3f", mean(), halfWidth());
    }
}
