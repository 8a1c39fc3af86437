package io.kipimo.simulator.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.Effort;
import io.kipimo.simulator.workload.Distribution;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Known results of queueing theory (Kleinrock, "Queueing Systems", vol. 1 and 2). */
class KnownAnswersTest {
    private static final double MEAN = 0.01;
    private static final int QUERIES = 60_000;

    static Stream<Double> utilisations() {
        return Effort.first(1, 0.8, 0.3);
    }

    @ParameterizedTest
    @MethodSource("utilisations")
    void mM1_responseTime(double utilisation) {
        double expected = MEAN / (1 - utilisation);

        assertResponse(1, Discipline.FIFO, new Distribution.Exponential(MEAN), utilisation, expected);
    }

    static Stream<Arguments> servers() {
        return Effort.first(1, Arguments.of(4, 0.8), Arguments.of(2, 0.5), Arguments.of(8, 0.7));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void mMc_erlangC(int cores, double utilisation) {
        double offered = cores * utilisation;
        double waiting = erlangC(cores, offered);
        double expected = MEAN + waiting * MEAN / (cores * (1 - utilisation));

        assertResponse(cores, Discipline.FIFO, new Distribution.Exponential(MEAN), utilisation, expected);
    }

    static Stream<Arguments> classes() {
        return Effort.first(1, Arguments.of(1, 0.5), Arguments.of(0, 0.8));
    }

    /** Cobham: W = W0 / ((1 - load of higher classes) (1 - load of these and one's own)). */
    @ParameterizedTest
    @MethodSource("classes")
    void mM1_nonPreemptivePriority(int queryClass, double utilisation) {
        double residual = utilisation * MEAN;
        double waiting = queryClass == 0
                ? residual / (1 - utilisation / 2)
                : residual / ((1 - utilisation / 2) * (1 - utilisation));
        TierSpec tier = TierSpec.queue("queue", 1, Discipline.CLASS_PRIORITY, new Distribution.Exponential(MEAN));

        QueueRun.MeanResponse response = new QueueRun(tier, utilisation / MEAN, 2, queryClass).meanResponse(QUERIES);

        assertThat(response.halfWidth()).isLessThan(MEAN / 5);
        assertThat(response.mean()).isCloseTo(MEAN + waiting, within(response.halfWidth()));
    }

    @Tag("full")
    @Test
    void mG1_pollaczekKhinchine_constant() {
        pollaczekKhinchine(new Distribution.Constant(MEAN), MEAN * MEAN, 0.7);
    }

    @Test
    void mG1_pollaczekKhinchine_lognormal() {
        pollaczekKhinchine(new Distribution.LogNormal(MEAN, 1.5), MEAN * MEAN * (1 + 1.5 * 1.5), 0.6);
    }

    @Tag("full")
    @Test
    void mG1_pollaczekKhinchine_pareto() {
        double least = MEAN * 3 / 4;
        pollaczekKhinchine(new Distribution.Pareto(MEAN, 4), 4 * least * least / 2, 0.6);
    }

    @Tag("full")
    @Test
    void mG1_pollaczekKhinchine_empirical() {
        double squares = (1 + 4 + 9 + 2_500) * 1e-6;
        pollaczekKhinchine(new Distribution.Empirical(new double[] {0.001, 0.002, 0.003, 0.05}), squares / 4, 0.5);
    }

    /** With processor sharing the mean depends on the mean of the demand alone. */
    @Tag("full")
    @Test
    void mG1Ps_isInsensitive_exponential() {
        processorSharing(new Distribution.Exponential(MEAN), 0.7);
    }

    @Test
    void mG1Ps_isInsensitive_lognormal() {
        processorSharing(new Distribution.LogNormal(MEAN, 2), 0.6);
    }

    @Tag("full")
    @Test
    void mG1Ps_isInsensitive_constant() {
        processorSharing(new Distribution.Constant(MEAN), 0.8);
    }

    /** Processor sharing over cores has the mean of M/M/c when demands are exponential. */
    @Test
    void mMcPs_hasTheMeanOfMMc() {
        double utilisation = 0.75;
        double expected = MEAN + erlangC(4, 3) * MEAN / (4 * (1 - utilisation));

        assertResponse(4, Discipline.PROCESSOR_SHARING, new Distribution.Exponential(MEAN), utilisation, expected);
    }

    /** @param secondMoment mean of the squares of the demand, seconds squared */
    private static void pollaczekKhinchine(Distribution demand, double secondMoment, double utilisation) {
        double rate = utilisation / demand.mean();
        double waiting = rate * secondMoment / (2 * (1 - utilisation));

        assertResponse(1, Discipline.FIFO, demand, utilisation, demand.mean() + waiting);
    }

    private static void processorSharing(Distribution demand, double utilisation) {
        assertResponse(1, Discipline.PROCESSOR_SHARING, demand, utilisation, demand.mean() / (1 - utilisation));
    }

    private static void assertResponse(
            int cores, Discipline discipline, Distribution demand, double utilisation, double expected) {
        TierSpec tier = TierSpec.queue("queue", cores, discipline, demand);
        QueueRun.MeanResponse response = new QueueRun(tier, utilisation * cores / demand.mean()).meanResponse(QUERIES);

        assertThat(response.halfWidth()).as("the interval says something").isLessThan(expected / 20);
        assertThat(response.mean()).isCloseTo(expected, within(response.halfWidth()));
    }

    private static double erlangC(int servers, double offered) {
        double term = 1;
        double sum = 1;
        for (int k = 1; k < servers; k++) {
            term *= offered / k;
            sum += term;
        }
        term *= offered / servers;
        double last = term * servers / (servers - offered);
        return last / (sum + last);
    }
}
