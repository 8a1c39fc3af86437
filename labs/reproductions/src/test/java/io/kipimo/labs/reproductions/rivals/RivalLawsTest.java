package io.kipimo.labs.reproductions.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Known answers, by the sources' own formulas. */
class RivalLawsTest {
    private static final RivalLaw.Entry IN_THE_MIDDLE = new RivalLaw.Entry(0.5, 10, 5);

    private static RivalLaw.Signals latency(double seconds, long inFlight, double timeOutShare) {
        return new RivalLaw.Signals(100, seconds, inFlight, timeOutShare, 100, 20, 100, 0, 0, 0);
    }

    private static RivalLaw.Signals queue(double mean, double least, double waiting) {
        return new RivalLaw.Signals(100, 0.01, 10, 0, 100, 20, 60, mean, least, waiting);
    }

    /** 20 + 0.2 x 4 without a queue; at thrice the usual latency, the gradient is 1.5 x 11.8 / 30. */
    @Test
    void gradient2GrowsByAFifthOfTheQueueAndFallsWithTheGradient() {
        Gradient2 law = new Gradient2(4).after(latency(0.01, 20, 0));
        assertThat(law.limit()).isEqualTo(20.8, within(1e-9));
        for (int i = 0; i < 9; i++) {
            law = law.after(latency(0.01, 2, 0));
        }
        assertThat(law.limit()).as("limited by its callers").isEqualTo(20.8, within(1e-9));
        double longer = 0.01 + 0.02 * 2 / 601;
        assertThat(law.after(latency(0.03, 20, 0)).limit())
                .isEqualTo(0.8 * 20.8 + 0.2 * (20.8 * Math.max(0.5, 1.5 * longer / 0.03) + 4), within(1e-9));
    }

    @Test
    void aPartitionHasItsPartThoughTheLimitIsReached() {
        assertThat(Gradient2.isWithin(20, new RivalLaw.Entry(0, 19, 19))).isTrue();
        assertThat(Gradient2.isWithin(20, new RivalLaw.Entry(0, 20, 2))).isFalse();
        assertThat(Gradient2.isWithin(20, new RivalLaw.Entry(0, 20, 1))).isTrue();
    }

    /** log10 of 20 is 1; the queue is 20 (1 - 10 / latency). */
    @ParameterizedTest
    @CsvSource({"0.0101, 0, 26", "0.011, 0, 21", "0.0133, 0, 20", "0.03, 0, 19", "0.0101, 0.01, 19"})
    void vegasStepsByTheQueueThatLatencyShows(double seconds, double timeOutShare, double limit) {
        Vegas law = new Vegas().after(latency(0.01, 20, 0)).after(latency(seconds, 20, timeOutShare));
        assertThat(law.limit()).isEqualTo(limit);
    }

    /** Of 60 admitted and 100 offered, 20 are of the highest class. */
    @Test
    void dagorExpectsFivePercentFewerOrOnePercentMore() {
        assertThat(new Dagor(0.5).after(queue(0.021, 0, 0)).level()).isEqualTo((0.95 * 60 - 20) / 80, within(1e-9));
        assertThat(new Dagor(0.5).after(queue(0.019, 0, 0)).level()).isEqualTo((60 + 1 - 20) / 80.0, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"0.02, 0.006, false", "0.02, 0.004, true", "0.009, 0.006, true"})
    void codelShedsWhatWaitsTooLongWhileNothingWaitsLittle(double mean, double least, boolean admits) {
        assertThat(new Codel().after(queue(mean, least, 0)).admits(IN_THE_MIDDLE))
                .isEqualTo(admits);
    }

    /** The table of its documentation: saturation 0.15 to 0.34. */
    @ParameterizedTest
    @CsvSource({"0.15, 0.023", "0.2, 0.096", "0.3, 0.73", "0.34, 1"})
    void theProbabilisticAdmitterRefusesByTheFifthPowerOfSaturation(double saturation, double refused) {
        ProbabilisticAdmitter law = new ProbabilisticAdmitter().after(queue(0, 0, 5 * saturation));
        assertThat(law.refused()).isEqualTo(refused, within(0.002));
    }

    @Test
    void thePiStepsByItsGains() {
        TimeOutPi law =
                new TimeOutPi(0.1, 0.5, 0.1).after(latency(0.01, 10, 0.2)).after(latency(0.01, 10, 0.4));
        assertThat(law.opening()).isEqualTo(1 - 0.06 - 0.13, within(1e-9));
    }
}
