package io.kipimo.core.rating.course;

import io.kipimo.core.rating.ExperimentReading;
import io.kipimo.core.rating.Verdict;
import io.kipimo.core.rating.search.Ending;
import io.kipimo.core.rating.search.NoiseCheck;
import io.kipimo.core.rating.search.Search;
import io.kipimo.core.rating.search.SearchSettings;
import io.kipimo.core.rating.search.SearchStep;
import io.kipimo.core.rating.search.Technique;
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
 * <p>As with the search, the experiments so far are all there is to remember: whoever keeps them
 * can stop, restart and go on. An experiment that lost a generator is run again and tells the
 * search nothing; some in a row that were void because generators were too weak end the rating.
 *
 * <p>What noise is told from: of a closed load, throughputs; of an open one, whose throughput is
 * what is imposed, medians of the latency.
 */
public final class RatingProtocol {
    /** So many experiments in a row that lose a generator are not worth another. */
    static final int MOST_LOST = 10;

    private static final int MOST_BOTTLENECKS = 3;

    /** If equal experiments still differ after so many more, the target was not just cold. */
    private static final int MORE_NOISE_READINGS = 3;

    /** Failed confirmations of one load. */
    private static final int MOST_CONFIRMATIONS = 3;

    /** So many times the warm-up an overloaded target is left alone. */
    private static final int RECOVERY_WARM_UPS = 3;

    private RatingProtocol() {}

    /**
     * When the next experiment may begin, epoch milliseconds; 0: at once. A target that was just
     * overloaded has requests to get rid of that nobody waits for any more, and connections to open
     * anew: what it would carry otherwise breaks it then.
     */
    public static long recoveredAtMillis(RatingRequest request, List<RatingTrial> trials) {
        if (recoveryMillis(request) == 0 || trials.isEmpty() || !overloads(last(trials))) {
            return 0;
        }
        RatingTrial last = last(trials);
        return last.startedAtMillis() + last.measuredMillis() + recoveryMillis(request);
    }

    /** Whether the target is left alone after an experiment. */
    static boolean overloads(RatingTrial trial) {
        return trial.verdict() == TrialVerdict.FAILED || trial.verdict() == TrialVerdict.BOTTLENECK;
    }

    /** For how long it is left alone. */
    static long recoveryMillis(RatingRequest request) {
        return RECOVERY_WARM_UPS * request.experiments().warmUpMillis();
    }

    /** What follows from {@code trials}, in the order in which they were run. */
    public static CourseStep next(RatingRequest request, List<RatingTrial> trials) {
        if (request.search().technique() == RatingTechnique.SQUEEZE) {
            return end(RatingState.CANCELLED, trials, 0, "no load is generated for a squeeze");
        }
        int number = trials.size() + 1;
        long millis = request.experiments().millis();
        int lost = trailing(trials, TrialVerdict.LOST);
        if (lost >= MOST_LOST) {
            return end(
                    RatingState.CANCELLED,
                    trials,
                    0,
                    lost + " experiments in a row lost a load generator");
        }
        List<RatingTrial> equal =
                trials.stream()
                        .filter(t -> t.purpose() == TrialPurpose.NOISE && !t.isVoid())
                        .toList();
        if (equal.size() < request.experiments().noiseReadings()) {
            return trailing(trials, TrialVerdict.BOTTLENECK) >= MOST_BOTTLENECKS
                    ? end(RatingState.GENERATORS_TOO_WEAK, trials, 0, last(trials).remark())
                    : new CourseStep.Run(number, 1, TrialPurpose.NOISE, millis);
        }
        double noise = 0;
        if (equal.size() >= 2) {
            int readings = request.experiments().noiseReadings();
            NoiseCheck check = noise(request, equal.subList(equal.size() - readings, equal.size()));
            noise = check.noise();
            if (!decidable(request, check)) {
                // The first of them may have met a target that was cold.
                return equal.size() < readings + MORE_NOISE_READINGS
                        ? new CourseStep.Run(number, 1, TrialPurpose.NOISE, millis)
                        : end(RatingState.TOO_NOISY, trials, noise, tooNoisy(request, check));
            }
        }
        List<ExperimentReading> log = log(request.experiments(), trials);
        SearchStep step =
                request.search().technique() == RatingTechnique.SWEEP
                        ? sweep(request, log)
                        : Search.next(settings(request, noise), log);
        if (step instanceof SearchStep.Run run) {
            return new CourseStep.Run(number, run.load(), purpose(run), millis);
        }
        return settled(request, trials, ((SearchStep.Done) step).rating(), noise, number);
    }

    private static CourseStep settled(
            RatingRequest request,
            List<RatingTrial> trials,
            io.kipimo.core.rating.search.SearchResult rating,
            double noise,
            int number) {
        OptionalLong doubtful = doubtful(trials, rating);
        if (doubtful.isPresent()) {
            return retry(request, number, doubtful.getAsLong());
        }
        long confirmation = request.agreement().durationMillis();
        double throughput = rating.throughput();
        if (rating.ending() == Ending.FOUND && confirmation > request.experiments().millis()) {
            List<RatingTrial> confirmations =
                    trials.stream()
                            .filter(t -> t.purpose() == TrialPurpose.CONFIRM && !t.isVoid())
                            .filter(t -> t.load() == rating.load())
                            .toList();
            OptionalDouble kept =
                    confirmations.stream()
                            .filter(t -> t.verdict() == TrialVerdict.PASSED)
                            .mapToDouble(RatingTrial::throughput)
                            .average();
            if (kept.isEmpty() && confirmations.size() >= MOST_CONFIRMATIONS) {
                return new CourseStep.Done(
                        RatingState.UNSETTLED,
                        rating.load(),
                        rating.throughput(),
                        noise,
                        "passes for a while, but not for as long as the agreement says");
            }
            if (kept.isEmpty()) {
                return new CourseStep.Run(
                        number, rating.load(), TrialPurpose.CONFIRM, confirmation);
            }
            OptionalLong bound = failedBefore(trials, rating.load());
            if (bound.isPresent()) {
                return retry(request, number, bound.getAsLong());
            }
            // The longest look at this load; the search's figure may be read off a fitted curve.
            throughput = kept.getAsDouble();
        }
        return new CourseStep.Done(
                state(rating.ending()),
                rating.load(),
                throughput,
                noise,
                rating.ending() == Ending.GENERATOR_BOTTLENECK ? last(trials).remark() : "");
    }

    private static CourseStep retry(RatingRequest request, int number, long load) {
        return new CourseStep.Run(number, load, TrialPurpose.RETRY, request.experiments().millis());
    }

    /**
     * The load that bounds the rating, if it failed but once: a target that was cold, or disturbed
     * for a moment, would be rated too low.
     */
    private static OptionalLong doubtful(
            List<RatingTrial> trials, io.kipimo.core.rating.search.SearchResult rating) {
        long failing = lowestFailing(trials);
        boolean bounds = rating.ending() == Ending.FOUND && rating.load() == best(trials);
        return bounds && failures(trials, failing) == 1
                ? OptionalLong.of(failing)
                : OptionalLong.empty();
    }

    /**
     * The load that bounds the rating, if it was not tried since the rated load was confirmed. By
     * then a target is as warm as it gets; in the search it may have been cold for longer than two
     * experiments took, or have had an overload to recover from.
     */
    private static OptionalLong failedBefore(List<RatingTrial> trials, long rated) {
        long failing = lowestFailing(trials);
        for (int i = trials.size() - 1; i >= 0; i--) {
            RatingTrial trial = trials.get(i);
            if (trial.load() == failing && !trial.isVoid()) {
                return OptionalLong.empty();
            }
            if (trial.load() == rated && trial.purpose() == TrialPurpose.CONFIRM) {
                boolean neverTried = failing == Long.MAX_VALUE || failures(trials, failing) == 0;
                return neverTried ? OptionalLong.empty() : OptionalLong.of(failing);
            }
        }
        return OptionalLong.empty();
    }

    private static long failures(List<RatingTrial> trials, long load) {
        return trials.stream().filter(t -> t.load() == load && isFailure(t)).count();
    }

    /** A confirmation that fails is not taken back: it looked for longer. */
    private static boolean isFailure(RatingTrial trial) {
        return trial.verdict() == TrialVerdict.FAILED && trial.purpose() != TrialPurpose.CONFIRM;
    }

    /**
     * Without a load's failures if the load passed when it was tried again, and of the equal
     * experiments at the start with the last alone.
     */
    private static List<RatingTrial> standing(List<RatingTrial> trials) {
        List<RatingTrial> standing = new ArrayList<>(trials.size());
        for (RatingTrial trial : trials) {
            if (trial.purpose() == TrialPurpose.NOISE && !trial.isVoid()) {
                standing.removeIf(t -> t.purpose() == TrialPurpose.NOISE);
            }
            if (trial.purpose() == TrialPurpose.RETRY && trial.verdict() == TrialVerdict.PASSED) {
                standing.removeIf(t -> t.load() == trial.load() && isFailure(t));
            }
            standing.add(trial);
        }
        return standing;
    }

    /**
     * About how many experiments are left; empty while the load still rises, since nothing tells
     * how far.
     */
    public static OptionalInt remaining(RatingRequest request, List<RatingTrial> trials) {
        long passing = best(trials);
        long failing = lowestFailing(trials);
        if (passing == 0 || failing <= passing || failing == Long.MAX_VALUE) {
            return OptionalInt.empty();
        }
        double gap = Math.log((double) failing / passing);
        double wanted =
                Math.max(Math.log1p(request.search().accuracy()), Math.log1p(1.0 / passing));
        int halvings = (int) Math.ceil(Math.max(0, Math.log(gap / wanted) / Math.log(2)));
        boolean confirmed = request.agreement().durationMillis() <= request.experiments().millis();
        return OptionalInt.of(halvings + (confirmed ? 0 : 1));
    }

    /** The highest load that passed below all that failed; 0 if none did. */
    public static long best(List<RatingTrial> trials) {
        long failing = lowestFailing(trials);
        return trials.stream()
                .filter(t -> t.verdict() == TrialVerdict.PASSED && t.load() < failing)
                .mapToLong(RatingTrial::load)
                .max()
                .orElse(0);
    }

    /** The most that was served at a load that passed; 0 if it did not. */
    static double throughput(List<RatingTrial> trials, long load) {
        return trials.stream()
                .filter(t -> t.load() == load && t.verdict() == TrialVerdict.PASSED)
                .mapToDouble(RatingTrial::throughput)
                .max()
                .orElse(0);
    }

    private static long lowestFailing(List<RatingTrial> trials) {
        return standing(trials).stream()
                .filter(t -> t.verdict() == TrialVerdict.FAILED)
                .mapToLong(RatingTrial::load)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    static SearchSettings settings(RatingRequest request, double noise) {
        SearchTerms search = request.search();
        // The throughput of an open load that passes is what was imposed: without noise.
        double ofThroughput = request.experiments().model() == LoadModel.OPEN ? 0 : noise;
        return new SearchSettings(
                switch (search.technique()) {
                    case GOLDEN -> Technique.GOLDEN;
                    case APPROXIMATE -> Technique.APPROXIMATE;
                    case ADAPTIVE, SWEEP, SQUEEZE -> Technique.ADAPTIVE;
                },
                search.climb(),
                search.epsilon(),
                ofThroughput,
                search.accuracy(),
                search.highestLoad(),
                search.mostExperiments());
    }

    private static NoiseCheck noise(RatingRequest request, List<RatingTrial> equal) {
        boolean open = request.experiments().model() == LoadModel.OPEN;
        return NoiseCheck.of(
                equal.stream()
                        .map(
                                t ->
                                        new ExperimentReading(
                                                t.load(),
                                                open
                                                        ? 1e6 / Math.max(1, t.p50Micros())
                                                        : t.throughput(),
                                                verdict(t)))
                        .toList(),
                request.search().accuracy());
    }

    private static boolean decidable(RatingRequest request, NoiseCheck check) {
        // An open load's search compares no throughputs.
        return request.experiments().model() == LoadModel.OPEN
                ? check.noise() <= MOST_NOISE
                : check.decidable(request.search().mostExperiments());
    }

    private static final double MOST_NOISE = 0.5;

    private static String tooNoisy(RatingRequest request, NoiseCheck check) {
        String share = String.format(Locale.ROOT, "%.1f %%", 100 * check.noise());
        return check.noise() > MOST_NOISE
                ? "equal experiments differ by " + share
                : "equal experiments differ by "
                        + share
                        + ": it takes about "
                        + check.experimentsNeeded()
                        + " experiments, allowed are "
                        + request.search().mostExperiments();
    }

    /** Every load, or every one that differs by the accuracy, up to the first that fails. */
    private static SearchStep sweep(RatingRequest request, List<ExperimentReading> log) {
        SearchTerms search = request.search();
        // As with any search, what fails as often as it passes has failed.
        Map<Long, Integer> kept = new HashMap<>();
        ExperimentReading last = null;
        for (ExperimentReading reading : log) {
            if (reading.verdict() != Verdict.VOID) {
                last = reading;
                kept.merge(reading.load(), reading.passed() ? 1 : -1, Integer::sum);
            }
        }
        ExperimentReading best =
                log.stream()
                        .filter(ExperimentReading::passed)
                        .filter(r -> kept.get(r.load()) > 0)
                        .max(Comparator.comparingDouble(ExperimentReading::throughput))
                        .orElse(null);
        long load = best == null ? 0 : best.load();
        double throughput = best == null ? 0 : best.throughput();
        boolean weak =
                log.size() >= MOST_BOTTLENECKS
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
            return new SearchStep.Done(
                    new io.kipimo.core.rating.search.SearchResult(
                            load, throughput, log.size(), ending));
        }
        long next =
                last == null
                        ? 1
                        : Math.max(
                                last.load() + 1, Math.round(last.load() * (1 + search.accuracy())));
        return new SearchStep.Run(
                Math.min(search.highestLoad(), next), io.kipimo.core.rating.search.Purpose.CLIMB);
    }

    /**
     * What the search hears. An open load is its own throughput as far as it is carried, and what
     * is served of one that is not says nothing: then the search looks for where the agreement
     * breaks and nothing else.
     */
    private static List<ExperimentReading> log(ExperimentTerms terms, List<RatingTrial> trials) {
        List<ExperimentReading> log = new ArrayList<>();
        for (RatingTrial trial : standing(trials)) {
            double throughput =
                    terms.model() == LoadModel.OPEN
                            ? amount(terms, trial.load())
                            : trial.throughput();
            ExperimentReading reading =
                    new ExperimentReading(trial.load(), throughput, verdict(trial));
            boolean tells = trial.purpose() != TrialPurpose.NOISE || !trial.isVoid();
            if (tells && trial.verdict() != TrialVerdict.LOST) {
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

    private static TrialPurpose purpose(SearchStep.Run run) {
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

    private static CourseStep end(
            RatingState state, List<RatingTrial> trials, double noise, String remark) {
        long best = best(trials);
        return new CourseStep.Done(state, best, throughput(trials, best), noise, remark);
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

    /** What one unit of load more is imposed as: requests a second, or users. */
    public static double amount(ExperimentTerms terms, long load) {
        double amount = terms.unit() * load;
        return terms.model() == LoadModel.CLOSED ? Math.max(1, Math.rint(amount)) : amount;
    }
}
