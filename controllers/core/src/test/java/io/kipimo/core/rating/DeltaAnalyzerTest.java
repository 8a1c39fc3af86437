package io.kipimo.core.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeltaAnalyzerTest {
    private interface Target {
        Probe under(long load, long millis);
    }

    private final List<Probe> log = new ArrayList<>();

    private DeltaStep.DeltaEnd analyze(DeltaAnalyzer.Probes settings, Target target) {
        DeltaStep step = DeltaAnalyzer.next(settings, log);
        while (step instanceof DeltaStep.DeltaRun wanted) {
            log.add(target.under(wanted.load(), wanted.millis()));
            step = DeltaAnalyzer.next(settings, List.copyOf(log));
        }
        return (DeltaStep.DeltaEnd) step;
    }

    /** Figure 8: 8 s at one thread, 16 s where the network is saturated; utilisations as in the figure. */
    private static Probe figure8(long load, long millis) {
        double utilisation = load == 1 ? 0.11 : Math.min(0.91, 0.11 * load * 0.85);
        double settling = load == 1 ? 300 : 600;
        double throughput = 1_000 * load * (1 - settling / millis);
        return new Probe(load, millis, Math.max(0, throughput), utilisation, 100.0 / millis);
    }

    @Test
    void raisesTheLoadByTheReciprocalOfTheUtilisationAndReportsTheLongest_figure8() {
        DeltaStep.DeltaEnd done = analyze(DeltaAnalyzer.Probes.DEFAULT, DeltaAnalyzerTest::figure8);

        assertThat(done).isEqualTo(new DeltaStep.DeltaEnd(16_000, DeltaEnding.SATURATED));
        assertThat(log.stream().map(Probe::load).distinct()).containsExactly(1L, 9L);
        // "the termination condition is satisfied with t = 32 seconds ... delta is 8 seconds"
        assertThat(log.stream().filter(p -> p.load() == 1).map(Probe::millis))
                .containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L);
    }

    @Test
    void waitsForTheMix() {
        DeltaStep.DeltaEnd done = analyze(
                DeltaAnalyzer.Probes.DEFAULT,
                (load, millis) -> new Probe(load, millis, 10, 0.9, Math.min(1, 400.0 / millis)));

        assertThat(done.millis()).isEqualTo(8_000);
    }

    @Test
    void figuresThatNeverSettleEndAtTheLongestProbe() {
        DeltaStep.DeltaEnd done =
                analyze(DeltaAnalyzer.Probes.DEFAULT, (load, millis) -> new Probe(load, millis, millis / 1.0, 0.5, 0));

        assertThat(done).isEqualTo(new DeltaStep.DeltaEnd(2_048_000, DeltaEnding.NOT_PERMANENT));
    }

    @Test
    void targetThatWaitsForItsLocksEndsToo() {
        DeltaStep.DeltaEnd done =
                analyze(DeltaAnalyzer.Probes.DEFAULT, (load, millis) -> new Probe(load, millis, 50, 0.3, 0));

        assertThat(done).isEqualTo(new DeltaStep.DeltaEnd(1_000, DeltaEnding.NOTHING_BUSIER));
    }

    @Test
    void highestLoadIsKept() {
        DeltaAnalyzer.Probes settings = new DeltaAnalyzer.Probes(1_000, 60_000, 0.05, 2, 0.8, 5);
        DeltaStep.DeltaEnd done =
                analyze(settings, (load, millis) -> new Probe(load, millis, load / 1.0, 0.01 * load, 0));

        assertThat(done).isEqualTo(new DeltaStep.DeltaEnd(1_000, DeltaEnding.HIGHEST_LOAD));
        assertThat(log).allMatch(p -> p.load() <= 5);
    }

    @Test
    void refusesSettingsOutOfRange() {
        assertThatThrownBy(() -> new DeltaAnalyzer.Probes(1_000, 500, 0.05, 3, 0.8, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("longestMillis is 500; allowed: 1000 or more");
    }
}
