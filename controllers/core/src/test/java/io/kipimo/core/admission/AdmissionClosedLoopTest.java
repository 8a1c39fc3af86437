package io.kipimo.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.Signal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The loop around a simulated plant, with 20 seeds per figure (seven but with {@code -Pfull}) and gains 0.3 / 0.015.
 * (The gains were chosen on seeds 1 to 20; these are others.) A period is the control period of 10 s. Dead time is the
 * delay of a window in periods. The low class's load rises from 0.5 to 1.5 times the capacity, at once or over 20
 * periods; until then everything is admitted. Settled: from then on the admitted fraction stays within 0.1 of its mean
 * over the periods 60 to 120. Overshoot: how far it fell below that mean, as a part of the whole change. Half of the
 * samples are lost, so that a batch has about ten.
 */
class AdmissionClosedLoopTest {
    private static final int SEEDS = Effort.of(7, 20);
    private static final int FIRST_SEED = 101;
    private static final int AFTER = 120;
    private static final int RAMP = 20;

    private static final int DEAD_STEP = Effort.of(3, 1);

    private record Run(int settled, double overshoot, int turns, double quality) {}

    private record Figures(int settled, int worstSettled, double overshoot, double worst, int turns, double q) {
        @Override
        public String toString() {
            return "%3d %3d   %4.2f %4.2f   %d   %.3f".formatted(settled, worstSettled, overshoot, worst, turns, q);
        }
    }

    @Test
    void stepSettlesWithinTwelvePeriodsAndNineADeadTimeAndOvershootsByAFifthAtMost() {
        System.out.println(
                "signal   window dead | settled median worst, overshoot median worst, turns median, quality");
        for (int window : new int[] {3, 6}) {
            for (int dead = 0; dead <= 3; dead += DEAD_STEP) {
                Figures figures = print(pid(Signal.QUALITY), window, dead, 0.5, 0);
                assertThat(figures.settled()).isLessThanOrEqualTo(12 + 9 * dead);
                assertThat(figures.overshoot()).isLessThanOrEqualTo(0.2);
                assertThat(figures.turns()).isLessThanOrEqualTo(4);
                assertThat(figures.worstSettled()).isLessThanOrEqualTo(20 + 10 * dead);
                assertThat(figures.worst()).isLessThanOrEqualTo(0.5);
            }
        }
    }

    @Test
    void withoutLossTheWorstSeedOvershootsByAQuarterAtMost() {
        for (int dead = 0; dead <= 3; dead += DEAD_STEP) {
            Figures figures = print(pid(Signal.QUALITY), 3, dead, 0, 0);
            assertThat(figures.worstSettled()).isLessThanOrEqualTo(15 + 10 * dead);
            assertThat(figures.worst()).isLessThanOrEqualTo(0.25);
        }
    }

    @Test
    void anAveragingWindowOfTenMinutesSettlesInAboutHalfOfIt() {
        for (int dead = 0; dead <= 3; dead += DEAD_STEP) {
            Figures figures = print(pid(Signal.QUALITY), 60, dead, 0.5, 0);
            assertThat(figures.settled()).isLessThanOrEqualTo(30 + 10 * dead);
            assertThat(figures.overshoot()).isLessThanOrEqualTo(0.2);
        }
    }

    @Test
    void rampIsFollowed() {
        for (int dead = 0; dead <= 3; dead += DEAD_STEP) {
            Figures figures = print(pid(Signal.QUALITY), 6, dead, 0.5, RAMP);
            assertThat(figures.settled()).isLessThanOrEqualTo(RAMP + 10 + 5 * dead);
            assertThat(figures.overshoot()).isLessThanOrEqualTo(0.2);
        }
    }

    @Test
    void timeOutsCloseTheLoopToo() {
        for (int dead = 0; dead <= 3; dead += DEAD_STEP) {
            Figures figures = print(pid(Signal.TIME_OUTS), 6, dead, 0.5, 0);
            assertThat(figures.settled()).isLessThanOrEqualTo(10 + 2 * dead);
            assertThat(figures.overshoot()).isLessThanOrEqualTo(0.2);
        }
    }

    @Test
    void cascadeIsAsFastAsAveragedQualityOverALongWindow() {
        for (int dead = 0; dead <= 3; dead += DEAD_STEP) {
            Figures cascade = print(pid(Signal.CASCADE), 60, dead, 0.5, 0);
            Figures quality = print(pid(Signal.QUALITY), 60, dead, 0.5, 0);
            assertThat(cascade.settled()).isLessThanOrEqualTo(quality.settled());
            assertThat(cascade.q()).isBetween(0.86, 0.96);
        }
    }

    @Test
    void aimdHoldsTheObjectiveAboutItsSawTooth() {
        for (int dead = 0; dead <= 3; dead += DEAD_STEP) {
            Figures figures = print(SampleWindows.admission(ControllerKind.AIMD, Signal.QUALITY), 6, dead, 0.5, 0);
            assertThat(figures.q()).isBetween(0.88, 0.97);
        }
    }

    @ParameterizedTest
    @EnumSource(Signal.class)
    void noControlAdmitsEverythingOnAnySignal(Signal signal) {
        ClosedLoop loop =
                new ClosedLoop(policy(SampleWindows.admission(ControllerKind.NO_CONTROL, signal), 3), 0, 0, 100, 1);
        List<ClosedLoop.Row> rows = loop.run(60, k -> 1.5);
        assertThat(rows.get(59).admitted()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Signal.class)
    void everyDecisionOnTheWayIsValid(Signal signal) {
        ClosedLoop loop = new ClosedLoop(policy(pid(signal), 3), 2, 0.5, 100, 7);
        loop.run(300, k -> 1 + Math.sin(k / 7.0));
        assertThat(loop.decisions()).hasSizeGreaterThan(600);
        long sequence = 0;
        for (Decision d : loop.decisions()) {
            ValidDecisions.check(d);
            assertThat(d.sequence()).isGreaterThan(sequence);
            sequence = d.sequence();
        }
    }

    private static AdmissionPolicy pid(Signal signal) {
        return SampleWindows.gains(SampleWindows.admission(ControllerKind.PID, signal), 0.3, 0.015, 0);
    }

    private static Policy policy(AdmissionPolicy admission, int windowPeriods) {
        return SampleWindows.policy(admission, windowPeriods * SampleWindows.PERIOD);
    }

    private static Figures print(AdmissionPolicy admission, int windowPeriods, int dead, double loss, int ramp) {
        List<Run> runs = new ArrayList<>();
        for (int seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            runs.add(run(policy(admission, windowPeriods), windowPeriods, dead, loss, ramp, seed));
        }
        Figures figures = new Figures(
                (int) at(runs.stream().mapToDouble(Run::settled).toArray(), SEEDS / 2),
                (int) at(runs.stream().mapToDouble(Run::settled).toArray(), SEEDS - 1),
                at(runs.stream().mapToDouble(Run::overshoot).toArray(), SEEDS / 2),
                at(runs.stream().mapToDouble(Run::overshoot).toArray(), SEEDS - 1),
                (int) at(runs.stream().mapToDouble(Run::turns).toArray(), SEEDS / 2),
                at(runs.stream().mapToDouble(Run::quality).toArray(), SEEDS / 2));
        System.out.printf(
                "%s %-9s window %2d dead %d loss %.1f%s | %s%n",
                admission.controller(),
                admission.signal(),
                windowPeriods,
                dead,
                loss,
                ramp > 0 ? " ramp" : "",
                figures);
        return figures;
    }

    private static Run run(Policy policy, int windowPeriods, int dead, double loss, int ramp, long seed) {
        int start = Math.max(2 * windowPeriods, 60);
        List<ClosedLoop.Row> rows = new ClosedLoop(policy, dead, loss, 100, seed)
                .run(
                        start + AFTER,
                        k -> k < start ? 0.5 : ramp == 0 ? 1.5 : Math.min(1.5, 0.5 + (double) (k - start) / ramp));
        List<ClosedLoop.Row> after = rows.subList(start, rows.size());
        double end = after.subList(60, AFTER).stream()
                .mapToDouble(ClosedLoop.Row::admitted)
                .average()
                .orElseThrow();
        double least =
                after.stream().mapToDouble(ClosedLoop.Row::admitted).min().orElseThrow();
        int settled = 0;
        for (int k = 0; k < AFTER; k++) {
            if (Math.abs(after.get(k).admitted() - end) > 0.1) {
                settled = k + 1;
            }
        }
        double quality = after.subList(60, AFTER).stream()
                .mapToDouble(ClosedLoop.Row::quality)
                .average()
                .orElseThrow();
        double change = after.get(0).admitted() - end;
        return new Run(settled, (end - least) / change, turns(after, settled), quality);
    }

    /** Changes of direction in the 30 periods after settling, of moves of a point or more. */
    private static int turns(List<ClosedLoop.Row> after, int settled) {
        int turns = 0;
        double direction = 0;
        for (int k = settled + 1; k < Math.min(AFTER, settled + 30); k++) {
            double move = after.get(k).admitted() - after.get(k - 1).admitted();
            if (Math.abs(move) < 0.01) {
                continue;
            }
            if (direction * move < 0) {
                turns++;
            }
            direction = move;
        }
        return turns;
    }

    private static double at(double[] values, int rank) {
        Arrays.sort(values);
        return values[rank];
    }
}
