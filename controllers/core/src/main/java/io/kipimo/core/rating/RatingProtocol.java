package io.kipimo.core.rating;

import io.kipimo.schemas.rating.ExperimentTerms;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.rating.TrialPurpose;
import io.kipimo.schemas.rating.TrialVerdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One step of a rating: (request, experiments so far) -> (next experiment | end).
 *
 * <p>As with the search, the experiments so far are the whole state, so a rating can stop, restart and continue from
 * them. An experiment that lost a generator runs again and does not enter the search. The rating ends after several
 * successive experiments that were void because generators were too weak.
 *
 * <p>Noise is estimated from throughputs under a closed load. Under an open load throughput equals the imposed rate, so
 * noise is estimated from median latencies.
 */
public final class RatingProtocol {
    /** The rating is cancelled after this many successive experiments that lost a generator. */
    static final int MOST_LOST = 10;

    private static final int MOST_BOTTLENECKS = 3;

    /** Additional equal experiments before the target counts as noisy instead of cold. */
    private static final int MORE_NOISE_READINGS = 3;

    /** Failed confirmations of one load before the rating ends unsettled. */
    private static final int MOST_CONFIRMATIONS = 3;

    /** Largest noise of equal experiments at the start, as a fraction of a reading. */
    private static final double MOST_NOISE = 0.5;

    /** Pause after an overload, as a multiple of the warm-up. */
    private static final int RECOVERY_WARM_UPS = 3;

    private RatingProtocol() {}

    /**
     * Time at which the next experiment may begin, epoch milliseconds; 0: at once. After an overload the target still
     * works on abandoned requests and reopens connections. Meanwhile a load that it usually carries can break the
     * agreement.
     */
    public static long recoveredAtMillis(RatingRequest request, List<RatingTrial> trials) {
        if (recoveryMillis(request) == 0 || trials.isEmpty() || !overloads(last(trials))) {
            return 0;
        }
        RatingTrial last = last(trials);
        return last.startedAtMillis() + last.measuredMillis() + recoveryMillis(request);
    }

    /** Whether the target needs a recovery pause after an experiment. */
    static boolean overloads(RatingTrial trial) {
        return trial.verdict() == TrialVerdict.FAILED || trial.verdict() == TrialVerdict.BOTTLENECK;
    }

    /** Length of the recovery pause. */
    static long recoveryMillis(RatingRequest request) {
        return RECOVERY_WARM_UPS * request.experiments().warmUpMillis();
    }

    /** The next step after {@code trials}, which are in the order of their runs. */
    public static CourseStep next(RatingRequest request, List<RatingTrial> trials) {
        if (request.search().technique() == RatingTechnique.SQUEEZE) {
            return end(RatingState.CANCELLED, trials, 0, "a squeeze generates no load");
        }
        int number = trials.size() + 1;
        long millis = request.experiments().millis();
        int lost = trailing(trials, TrialVerdict.LOST);
        if (lost >= MOST_LOST) {
            return end(RatingState.CANCELLED, trials, 0, lost + " experiments in a row lost a load generator");
        }
        List<RatingTrial> equal = trials.stream()
                .filter(t -> t.purpose() == TrialPurpose.NOISE && !t.isVoid())
                .toList();
        if (equal.size() < request.experiments().noiseReadings()) {
            return trailing(trials, TrialVerdict.BOTTLENECK) >= MOST_BOTTLENECKS
                    ? end(
                            RatingState.GENERATORS_TOO_WEAK,
                            trials,
                            0,
                            last(trials).remark())
                    : new CourseStep.CourseRun(number, 1, TrialPurpose.NOISE, millis);
        }
        double noise = 0;
        if (equal.size() >= 2) {
            int readings = request.experiments().noiseReadings();
            noise = noise(request, equal.subList(equal.size() - readings, equal.size()));
            if (noise > MOST_NOISE) {
                // The target may have been cold in the first of them.
                return equal.size() < readings + MORE_NOISE_READINGS
                        ? new CourseStep.CourseRun(number, 1, TrialPurpose.NOISE, millis)
                        : end(RatingState.TOO_NOISY, trials, noise, tooNoisy(noise));
            }
        }
        List<ExperimentReading> log = log(request.experiments(), trials);
        SearchStep step = request.search().technique() == RatingTechnique.SWEEP
                ? sweep(request, log)
                : Search.next(request.search(), log);
        if (step instanceof SearchStep.SearchRun run) {
            if (run.purpose() == Purpose.REPEAT && request.experiments().model() == LoadModel.OPEN) {
                // Without noise, the only repetition is the confirmation.
                return confirmation(request, trials, run.load(), number);
            }
            return new CourseStep.CourseRun(number, run.load(), purpose(run), millis);
        }
        return settled(request, trials, ((SearchStep.SearchEnd) step).rating(), noise, number);
    }

    private static CourseStep settled(
            RatingRequest request,
            List<RatingTrial> trials,
            io.kipimo.core.rating.SearchResult rating,
            double noise,
            int number) {
        boolean found = rating.ending() == Ending.FOUND || rating.ending() == Ending.HIGHEST_LOAD;
        double throughput = rating.throughput();
        if (found) {
            OptionalLong doubtful = doubtful(trials, rating.load());
            if (doubtful.isPresent()) {
                return retry(request, number, doubtful.getAsLong());
            }
            List<RatingTrial> passes = standing(trials).stream()
                    .filter(t -> t.load() == rating.load())
                    .filter(t -> t.verdict() == TrialVerdict.PASSED)
                    .toList();
            OptionalDouble kept = passes.stream()
                    .filter(t -> t.purpose() == TrialPurpose.CONFIRM)
                    .mapToDouble(RatingTrial::throughput)
                    .average();
            boolean longer =
                    request.agreement().durationMillis() > request.experiments().millis();
            if (kept.isEmpty() && (longer || passes.size() < 2)) {
                long failed = trials.stream()
                        .filter(t -> t.purpose() == TrialPurpose.CONFIRM && !t.isVoid())
                        .filter(t -> t.load() == rating.load())
                        .count();
                return failed >= MOST_CONFIRMATIONS
                        ? new CourseStep.CourseEnd(
                                RatingState.UNSETTLED,
                                rating.load(),
                                rating.throughput(),
                                noise,
                                "passes for a while, but not for the duration of the agreement")
                        : confirmation(request, trials, rating.load(), number);
            }
            OptionalLong bound = longer ? failedBefore(trials, rating.load()) : OptionalLong.empty();
            if (bound.isPresent()) {
                return retry(request, number, bound.getAsLong());
            }
            throughput = kept.orElse(mean(passes));
        }
        return new CourseStep.CourseEnd(
                state(rating.ending()),
                rating.load(),
                throughput,
                noise,
                rating.ending() == Ending.GENERATOR_BOTTLENECK ? last(trials).remark() : "");
    }

    /**
     * Next step that confirms {@code load} for the duration of the agreement. If the failure of the load above it is
     * doubtful, that load is tried again first.
     */
    private static CourseStep confirmation(RatingRequest request, List<RatingTrial> trials, long load, int number) {
        OptionalLong doubtful = doubtful(trials, load);
        return doubtful.isPresent()
                ? retry(request, number, doubtful.getAsLong())
                : new CourseStep.CourseRun(
                        number,
                        load,
                        TrialPurpose.CONFIRM,
                        Math.max(
                                request.agreement().durationMillis(),
                                request.experiments().millis()));
    }

    private static CourseStep retry(RatingRequest request, int number, long load) {
        return new CourseStep.CourseRun(
                number, load, TrialPurpose.RETRY, request.experiments().millis());
    }

    /**
     * The load that bounds the rating, if it failed only once. A single failure may come from a cold or briefly
     * disturbed target, which would then be rated too low.
     */
    private static OptionalLong doubtful(List<RatingTrial> trials, long rated) {
        long failing = lowestFailing(trials);
        return rated == best(trials) && failures(trials, failing) == 1
                ? OptionalLong.of(failing)
                : OptionalLong.empty();
    }

    /**
     * The load that bounds the rating, if no experiment has tried it since the confirmation of the rated load, or if
     * its last retry passed without outvoting its failures. When the rated load is confirmed, the target is fully warm.
     * During the search it may have been cold for longer than two experiments, or still recovering from an overload.
     */
    private static OptionalLong failedBefore(List<RatingTrial> trials, long rated) {
        long failing = lowestFailing(trials);
        for (int i = trials.size() - 1; i >= 0; i--) {
            RatingTrial trial = trials.get(i);
            if (trial.load() == failing && !trial.isVoid()) {
                boolean outvoted = trial.verdict() == TrialVerdict.PASSED && trial.purpose() == TrialPurpose.RETRY;
                return outvoted ? OptionalLong.of(failing) : OptionalLong.empty();
            }
            if (trial.load() == rated && trial.purpose() == TrialPurpose.CONFIRM) {
                boolean neverTried = failing == Long.MAX_VALUE || failures(trials, failing) == 0;
                return neverTried ? OptionalLong.empty() : OptionalLong.of(failing);
            }
        }
        return OptionalLong.empty();
    }

    private static long passes(List<RatingTrial> trials, long load) {
        return trials.stream()
                .filter(t -> t.load() == load && t.verdict() == TrialVerdict.PASSED)
                .count();
    }

    private static long failures(List<RatingTrial> trials, long load) {
        return trials.stream().filter(t -> t.load() == load && isFailure(t)).count();
    }

    /** Failures that a retry can overrule. Confirmations are excluded, as they run longer than a retry. */
    private static boolean isFailure(RatingTrial trial) {
        return trial.verdict() == TrialVerdict.FAILED && trial.purpose() != TrialPurpose.CONFIRM;
    }

    /**
     * The trials that count. The failures of a load do not count once it has passed a retry, and has passed at least as
     * often as it failed. Of the equal experiments at the start, only the last counts.
     */
    private static List<RatingTrial> standing(List<RatingTrial> trials) {
        List<RatingTrial> standing = new ArrayList<>(trials.size());
        for (RatingTrial trial : trials) {
            if (trial.purpose() == TrialPurpose.NOISE && !trial.isVoid()) {
                standing.removeIf(t -> t.purpose() == TrialPurpose.NOISE);
            }
            standing.add(trial);
            if (trial.purpose() == TrialPurpose.RETRY
                    && trial.verdict() == TrialVerdict.PASSED
                    && passes(standing, trial.load()) >= failures(standing, trial.load())) {
                standing.removeIf(t -> t.load() == trial.load() && isFailure(t));
            }
        }
        return standing;
    }

    /**
     * Approximate number of experiments left; empty while no load has failed, since the end of the climb is unknown.
     */
    public static OptionalInt remaining(RatingRequest request, List<RatingTrial> trials) {
        long passing = best(trials);
        long failing = lowestFailing(trials);
        if (passing == 0 || failing <= passing || failing == Long.MAX_VALUE) {
            return OptionalInt.empty();
        }
        double gap = Math.log((double) failing / passing);
        double wanted = Math.max(Math.log1p(request.search().accuracy()), Math.log1p(1.0 / passing));
        int halvings = (int) Math.ceil(Math.max(0, Math.log(gap / wanted) / Math.log(2)));
        boolean confirmed =
                request.agreement().durationMillis() <= request.experiments().millis();
        return OptionalInt.of(halvings + (confirmed ? 0 : 1));
    }

    /** The highest passing load below all failing loads; 0 if there is none. */
    public static long best(List<RatingTrial> trials) {
        long failing = lowestFailing(trials);
        return trials.stream()
                .filter(t -> t.verdict() == TrialVerdict.PASSED && t.load() < failing)
                .mapToLong(RatingTrial::load)
                .max()
                .orElse(0);
    }

    /** Mean throughput of the experiments that passed at a load, requests a second; 0 if none passed. */
    static double throughput(List<RatingTrial> trials, long load) {
        return mean(trials.stream()
                .filter(t -> t.load() == load && t.verdict() == TrialVerdict.PASSED)
                .toList());
    }

    private static double mean(List<RatingTrial> trials) {
        return trials.stream().mapToDouble(RatingTrial::throughput).average().orElse(0);
    }

    private static long lowestFailing(List<RatingTrial> trials) {
        return standing(trials).stream()
                .filter(t -> t.verdict() == TrialVerdict.FAILED)
                .mapToLong(RatingTrial::load)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private static double noise(RatingRequest request, List<RatingTrial> equal) {
        boolean open = request.experiments().model() == LoadModel.OPEN;
        return Noise.of(equal.stream()
                        .map(t -> new ExperimentReading(
                                t.load(), open ? 1e6 / Math.max(1, t.p50Micros()) : t.throughput(), verdict(t)))
                        .toList())
                .orElse(0);
    }

    private static String tooNoisy(double noise) {
        return String.format(Locale.ROOT, "equal experiments differ by %.1f %%", 100 * noise);
    }

    /** Tries loads in steps of the accuracy, at least 1, up to the first failure. */
    private static SearchStep sweep(RatingRequest request, List<ExperimentReading> log) {
        SearchTerms search = request.search();
        // As in every search, a load that fails as often as it passes counts as failed.
        Map<Long, Integer> kept = new HashMap<>();
        ExperimentReading last = null;
        for (ExperimentReading reading : log) {
            if (reading.verdict() != Verdict.VOID) {
                last = reading;
                kept.merge(reading.load(), reading.passed() ? 1 : -1, Integer::sum);
            }
        }
        ExperimentReading best = log.stream()
                .filter(ExperimentReading::passed)
                .filter(r -> kept.get(r.load()) > 0)
                .max(Comparator.comparingDouble(ExperimentReading::throughput))
                .orElse(null);
        long load = best == null ? 0 : best.load();
        double throughput = best == null ? 0 : best.throughput();
        boolean weak = log.size() >= MOST_BOTTLENECKS
                && log.subList(log.size() - MOST_BOTTLENECKS, log.size()).stream()
                        .allMatch(r -> r.verdict() == Verdict.VOID);
        Ending ending = null;
        if (weak) {
            ending = Ending.GENERATOR_BOTTLENECK;
        } else if (last != null && !last.passed()) {
            ending = best == null ? Ending.FIRST_FAILED : Ending.FOUND;
        } else if (last != null && last.load() >= search.highestLoad()) {
            ending = Ending.HIGHEST_LOAD;
        } else if (log.size() >= search.mostExperiments()) {
            ending = Ending.TOO_MANY_EXPERIMENTS;
        }
        if (ending != null) {
            return new SearchStep.SearchEnd(
                    new io.kipimo.core.rating.SearchResult(load, throughput, log.size(), ending));
        }
        long next = last == null ? 1 : Math.max(last.load() + 1, Math.round(last.load() * (1 + search.accuracy())));
        return new SearchStep.SearchRun(Math.min(search.highestLoad(), next), Purpose.CLIMB);
    }

    /**
     * The readings for the search. Under an open load a reading's throughput is the imposed rate, so throughput rises
     * with the load and the search only finds where the agreement breaks.
     */
    private static List<ExperimentReading> log(ExperimentTerms terms, List<RatingTrial> trials) {
        List<ExperimentReading> log = new ArrayList<>();
        for (RatingTrial trial : standing(trials)) {
            double throughput = terms.model() == LoadModel.OPEN ? amount(terms, trial.load()) : trial.throughput();
            ExperimentReading reading = new ExperimentReading(trial.load(), throughput, verdict(trial));
            boolean counts = trial.purpose() != TrialPurpose.NOISE || !trial.isVoid();
            if (counts && trial.verdict() != TrialVerdict.LOST) {
                log.add(reading);
            }
        }
        return log;
    }

    private static Verdict verdict(RatingTrial trial) {
        return switch (trial.verdict()) {
            case PASSED -> Verdict.PASSED;
            case FAILED -> Verdict.FAILED;
            case BOTTLENECK, LOST -> Verdict.VOID;
        };
    }

    private static TrialPurpose purpose(SearchStep.SearchRun run) {
        return switch (run.purpose()) {
            case CLIMB -> TrialPurpose.CLIMB;
            case NARROW -> TrialPurpose.NARROW;
            case REPEAT -> TrialPurpose.REPEAT;
            case RETRY -> TrialPurpose.RETRY;
        };
    }

    private static RatingState state(Ending ending) {
        return switch (ending) {
            case FOUND -> RatingState.FOUND;
            case FIRST_FAILED -> RatingState.NONE;
            case HIGHEST_LOAD -> RatingState.AT_LEAST;
            case TOO_MANY_EXPERIMENTS -> RatingState.UNSETTLED;
            case GENERATOR_BOTTLENECK -> RatingState.GENERATORS_TOO_WEAK;
        };
    }

    private static CourseStep end(RatingState state, List<RatingTrial> trials, double noise, String remark) {
        long best = best(trials);
        return new CourseStep.CourseEnd(state, best, throughput(trials, best), noise, remark);
    }

    private static int trailing(List<RatingTrial> trials, TrialVerdict verdict) {
        int n = 0;
        while (n < trials.size() && trials.get(trials.size() - 1 - n).verdict() == verdict) {
            n++;
        }
        return n;
    }

    private static RatingTrial last(List<RatingTrial> trials) {
        return trials.get(trials.size() - 1);
    }

    /** Converts a load in units to requests a second (open load) or whole users (closed load). */
    public static double amount(ExperimentTerms terms, long load) {
        double amount = terms.unit() * load;
        return terms.model() == LoadModel.CLOSED ? Math.max(1, Math.rint(amount)) : amount;
    }
}
