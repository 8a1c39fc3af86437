package io.kipimo.core.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.Effort;
import io.kipimo.schemas.rating.ExperimentCountsBuilder;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.TrialPurpose;
import io.kipimo.schemas.rating.TrialVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class RatingProtocolTest {
    private static final RatingRequest REQUEST = Requests.open(1, 60_000, RatingTechnique.ADAPTIVE);

    /** Result of an experiment: latency, and whether a generator was too weak. */
    private record Told(long latencyMicros, long lagMicros, String bottleneck, long requests) {
        static Told of(long latencyMicros) {
            return new Told(latencyMicros, 0, "", 1_000);
        }

        static Told late(long latencyMicros, long lagMicros) {
            return new Told(latencyMicros, lagMicros, "", 1_000);
        }
    }

    private final List<RatingTrial> trials = new ArrayList<>();

    private CourseStep.CourseEnd rate(RatingRequest request, Function<CourseStep.CourseRun, Told> service) {
        CourseStep step = RatingProtocol.next(request, trials);
        while (step instanceof CourseStep.CourseRun run) {
            trials.add(trial(request, run, service.apply(run)));
            step = RatingProtocol.next(request, trials);
        }
        return (CourseStep.CourseEnd) step;
    }

    private static RatingTrial trial(RatingRequest request, CourseStep.CourseRun run, Told told) {
        long requests = told.requests();
        long inTime = told.latencyMicros() <= Requests.BOUND_MICROS ? requests : 0;
        long sending = told.latencyMicros() - told.lagMicros() <= Requests.BOUND_MICROS ? requests : 0;
        return ExperimentEvaluator.judge(
                request,
                run,
                new ExperimentEvaluator.Measured(
                        1,
                        run.millis(),
                        0,
                        ExperimentCountsBuilder.builder()
                                .requests(requests)
                                .within(inTime)
                                .answered(requests)
                                .withinFromSending(sending)
                                .build(),
                        told.latencyMicros(),
                        told.latencyMicros(),
                        told.latencyMicros(),
                        told.latencyMicros(),
                        told.bottleneck(),
                        false));
    }

    private static Told upTo(double capacity, CourseStep.CourseRun run) {
        return Told.of(run.load() <= capacity ? 10_000 : 100_000);
    }

    @Test
    void findsWhereTheAgreementBreaksAndConfirmsItForItsDuration() {
        CourseStep.CourseEnd done = rate(REQUEST, run -> upTo(777, run));

        assertThat(done.state()).isEqualTo(RatingState.FOUND);
        assertThat(done.throughput()).isCloseTo(777, within(7.77));
        RatingTrial kept = trials.get(trials.size() - 2);
        assertThat(kept.purpose()).isEqualTo(TrialPurpose.CONFIRM);
        assertThat(kept.measuredMillis()).isEqualTo(60_000);
        assertThat(kept.load()).isEqualTo(done.load());
        assertThat(trials.subList(0, 2)).allMatch(t -> t.purpose() == TrialPurpose.NOISE);
    }

    @Test
    void theSweepFindsTheSameWithManyMoreExperiments() {
        double adaptive = rate(REQUEST, run -> upTo(200, run)).throughput();
        int few = trials.size();
        trials.clear();
        RatingRequest sweep = Requests.open(1, 60_000, RatingTechnique.SWEEP);
        CourseStep.CourseEnd done = rate(sweep, run -> upTo(200, run));

        assertThat(done.state()).isEqualTo(RatingState.FOUND);
        assertThat(done.throughput()).isCloseTo(adaptive, within(4.0));
        assertThat(trials.size()).isGreaterThan(5 * few);
    }

    /** The first equal experiments are left out: the target may be cold. */
    @Test
    void isNeverAboveALoadThatFailedMoreOftenThanItPassed_whateverVerdictsAreFlipped() {
        int rated = 0;
        for (double flipped : new double[] {0.02, 0.05, 0.1}) {
            for (int seed = 0; seed < Effort.of(15, 1_000); seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                double capacity = Math.pow(10, 1 + 3 * random.nextDouble());
                trials.clear();
                CourseStep.CourseEnd done = rate(
                        REQUEST,
                        run -> Told.of(run.load() <= capacity == random.nextDouble() >= flipped ? 10_000 : 100_000));
                Map<Long, Integer> votes = new TreeMap<>();
                trials.stream()
                        .filter(t -> t.purpose() != TrialPurpose.NOISE && !t.isVoid())
                        .forEach(t -> votes.merge(t.load(), t.verdict() == TrialVerdict.PASSED ? 1 : -1, Integer::sum));
                if (done.state() == RatingState.FOUND) {
                    rated++;
                    assertThat(votes).as(flipped + " " + seed + " " + trials).allSatisfy((load, vote) -> assertThat(
                                    load > done.load() || vote >= 0)
                            .isTrue());
                }
            }
        }
        assertThat(rated).isGreaterThan(Effort.of(20, 1_500));
    }

    @Test
    void whatPassesForAWhileOnlyIsNotTheRating() {
        CourseStep.CourseEnd done = rate(REQUEST, run -> upTo(run.purpose() == TrialPurpose.CONFIRM ? 300 : 400, run));

        assertThat(done.state()).isEqualTo(RatingState.FOUND);
        assertThat(done.load()).isLessThanOrEqualTo(300);
        assertThat(trials).anyMatch(t -> t.purpose() == TrialPurpose.CONFIRM && t.verdict() == TrialVerdict.FAILED);
    }

    /** A load found from single readings may exceed what the target sustains. */
    @Test
    void theRatingIsWhatItsConfirmationServed() {
        RatingRequest request = Requests.closed(60_000);
        CourseStep.CourseEnd done = rate(request, run -> {
            double share = run.purpose() == TrialPurpose.CONFIRM ? 0.8 : 1;
            double perSecond = share * run.load() * (200 - run.load());
            long requests = Math.round(perSecond * run.millis() / 1e3);
            return new Told(10_000, 0, "", requests);
        });

        assertThat(done.state()).isEqualTo(RatingState.FOUND);
        assertThat((double) done.load()).isCloseTo(100, within(30.0));
        assertThat(done.throughput()).isCloseTo(0.8 * done.load() * (200 - done.load()), within(1.0));
    }

    @Test
    void aTargetThatWasColdIsNotRatedByIt() {
        boolean[] warm = {false};
        CourseStep.CourseEnd done = rate(REQUEST, run -> {
            boolean isCold = run.load() > 100 && !warm[0];
            warm[0] |= isCold;
            return isCold ? Told.of(100_000) : upTo(777, run);
        });

        assertThat(done.state()).isEqualTo(RatingState.FOUND);
        assertThat(done.throughput()).isCloseTo(777, within(7.77));
    }

    /** A cold target warms up with the requests that it serves, in time or not. */
    @Test
    void aTargetThatStaysColdForLongIsNotRatedByIt() {
        long[] millis = {0};
        CourseStep.CourseEnd done = rate(REQUEST, run -> {
            millis[0] += run.load() > 100 ? run.millis() : 0;
            return upTo(millis[0] < 70_000 ? 200 : 777, run);
        });

        assertThat(done.state()).isEqualTo(RatingState.FOUND);
        assertThat(done.throughput()).isCloseTo(777, within(7.77));
    }

    /** A load bounds a rating only if it fails twice, and once more with a warm target. */
    @Test
    void theLoadThatBoundsTheRatingFailedAgainAndAgain() {
        CourseStep.CourseEnd done = rate(REQUEST, run -> upTo(777, run));

        assertThat(trials.stream()
                        .filter(t -> t.verdict() == TrialVerdict.FAILED)
                        .filter(t -> t.load() <= done.load() * 1.01)
                        .map(RatingTrial::load))
                .hasSize(3);
        assertThat(trials.get(trials.size() - 1).verdict()).isEqualTo(TrialVerdict.FAILED);
    }

    @Test
    void refusesWhenEqualExperimentsDiffer() {
        int[] n = {0};
        CourseStep.CourseEnd done = rate(REQUEST, run -> Told.of(n[0]++ % 2 == 0 ? 40_000 : 2_000));

        assertThat(done.state()).isEqualTo(RatingState.TOO_NOISY);
        assertThat(done.remark()).startsWith("equal experiments differ by ");
        assertThat(trials).hasSize(5);
    }

    @Test
    void aFirstExperimentThatDiffersIsNotNoise() {
        int[] n = {0};
        CourseStep.CourseEnd done = rate(REQUEST, run -> n[0]++ == 0 ? Told.of(40_000) : upTo(777, run));

        assertThat(done.state()).isEqualTo(RatingState.FOUND);
        assertThat(done.throughput()).isCloseTo(777, within(7.77));
    }

    @Test
    void theSweepGoesBelowWhatItsConfirmationBreaks() {
        RatingRequest sweep = Requests.open(1, 60_000, RatingTechnique.SWEEP);
        CourseStep.CourseEnd done = rate(sweep, run -> upTo(run.purpose() == TrialPurpose.CONFIRM ? 20 : 22, run));

        assertThat(done.state()).isEqualTo(RatingState.FOUND);
        assertThat(done.load()).isEqualTo(20);
    }

    @Test
    void theLowestLoadThatFailsIsNoRating() {
        assertThat(rate(REQUEST, run -> Told.of(90_000)).state()).isEqualTo(RatingState.NONE);
    }

    /** Figure 11: a generator that cannot send must not lower the target's rating. */
    @Test
    void aWeakGeneratorIsNotTheTargetsRating() {
        CourseStep.CourseEnd done =
                rate(REQUEST, run -> run.load() <= 8 ? Told.of(10_000) : Told.late(100_000, 95_000));

        assertThat(done.state()).isEqualTo(RatingState.GENERATORS_TOO_WEAK);
        assertThat(done.remark()).contains("left the generator so late");
    }

    /** Latencies count from the intended start, and these keep the agreement although the generator was late. */
    @Test
    void whatPassesPassesHoweverLateTheGeneratorWas() {
        CourseStep.CourseRun run = new CourseStep.CourseRun(1, 8, TrialPurpose.CLIMB, 5_000);

        assertThat(trial(REQUEST, run, new Told(49_000, 40_000, "late", 1_000)).verdict())
                .isEqualTo(TrialVerdict.PASSED);
        assertThat(trial(REQUEST, run, Told.late(90_000, 30_000)).verdict()).isEqualTo(TrialVerdict.FAILED);
    }

    @Test
    void aLostGeneratorCostsAnExperimentAndNothingElse() {
        CourseStep.CourseEnd undisturbed = rate(REQUEST, run -> upTo(777, run));
        int experiments = trials.size();
        trials.clear();
        CourseStep step = RatingProtocol.next(REQUEST, trials);
        while (step instanceof CourseStep.CourseRun run) {
            trials.add(
                    trials.size() % 3 == 1
                            ? ExperimentEvaluator.lost(run, 1, "fell silent")
                            : trial(REQUEST, run, upTo(777, run)));
            step = RatingProtocol.next(REQUEST, trials);
        }

        CourseStep.CourseEnd done = (CourseStep.CourseEnd) step;
        assertThat(done).isEqualTo(undisturbed);
        assertThat(trials.stream().filter(t -> !t.isVoid())).hasSize(experiments);
    }

    @Test
    void generatorsThatAreAlwaysLostEndIt() {
        CourseStep step = RatingProtocol.next(REQUEST, trials);
        while (step instanceof CourseStep.CourseRun run) {
            trials.add(ExperimentEvaluator.lost(run, 1, "fell silent"));
            step = RatingProtocol.next(REQUEST, trials);
        }

        assertThat(((CourseStep.CourseEnd) step).state()).isEqualTo(RatingState.CANCELLED);
        assertThat(trials).hasSize(RatingProtocol.MOST_LOST);
    }

    @Test
    void estimatesTheNumberOfRemainingExperiments() {
        assertThat(RatingProtocol.remaining(REQUEST, trials)).isEmpty();
        rate(REQUEST, run -> upTo(777, run));
        List<RatingTrial> soFar = new ArrayList<>();
        List<Integer> left = new ArrayList<>();
        for (RatingTrial trial : trials) {
            soFar.add(trial);
            RatingProtocol.remaining(REQUEST, soFar).ifPresent(left::add);
        }

        assertThat(left).isNotEmpty().isSortedAccordingTo((a, b) -> b - a);
        assertThat(left.get(left.size() - 1)).isLessThanOrEqualTo(2);
    }

    /** Lambda = zeta + omega nu + eta (Upsilon + delta) + (Upsilon + Delta). */
    @Test
    void predictsByTheModelOfARatingsDuration() {
        rate(REQUEST, run -> upTo(777, run));

        assertThat(RatingResults.predictedMillis(REQUEST, trials)).isEqualTo((trials.size() - 1) * 5_000L + 60_000);
    }
}
