package io.kipimo.bench.rating;

import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.core.rating.CourseStep;
import io.kipimo.embedded.process.Programs;
import io.kipimo.embedded.process.ScratchDirectory;
import io.kipimo.embedded.process.Started;
import io.kipimo.loadgen.rating.LocalRating;
import io.kipimo.loadgen.rating.RatingListener;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentTermsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.rating.TrialPurpose;
import io.kipimo.schemas.rating.TrialVerdict;
import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Rates real stores with each technique, and compares with a brute-force {@link Sweep} of the same store by experiments
 * of the same length.
 *
 * <p>Within the minutes of a sweep, a machine's speed drifts by more than the difference that is to be shown. So the
 * loads that were found are run again in turns, and only these turns are compared.
 */
public final class RatingStoresBenchmark implements Benchmark {
    private static final List<RatingTechnique> TECHNIQUES = List.of(RatingTechnique.ADAPTIVE, RatingTechnique.GOLDEN);

    /** Greatest difference from the sweep that counts as no difference. */
    private static final double SAME = 0.05;

    private static final double ACCURACY = 0.02;
    private static final int MOST_EXPERIMENTS = 100;
    private static final long PATIENCE_MILLIS = 10_000;

    /** Rates and runs single experiments on one store. */
    interface Rater {
        Rating rate(RatingRequest request) throws InterruptedException;

        RatingTrial experiment(RatingRequest request, CourseStep.CourseRun run) throws InterruptedException;
    }

    @Override
    public Result run(Context context) throws Exception {
        long millis = context.choose(300L, 1_000L, 5_000L);
        Table table = new Table("Ratings, requests a second");
        List<String> notes = new ArrayList<>();
        for (RatedStore store : RatedStore.values()) {
            if (Programs.find(store.program()).isEmpty()) {
                notes.add(store + ": " + store.program() + " is not installed here: SKIPPED.");
                context.say("%s", notes.get(notes.size() - 1));
                continue;
            }
            try (ScratchDirectory scratch = ScratchDirectory.create("bench-rating");
                    Started running = new Started(problem -> context.say("%s", problem));
                    Target target = store.start(scratch.path(), running)) {
                compare(
                        store.toString(),
                        store.model(),
                        store.unit(),
                        store.highestLoad(),
                        millis,
                        on(target),
                        table,
                        context);
            }
        }
        notes.add(table1(table));
        notes.add("CLOSED: users; OPEN: requests a second, p95 within 50 ms and at most 1 % errors. Experiments of "
                + millis
                + " ms after a warm-up of half of that. \"Again\" is the median of the found"
                + " load's experiments in turns with the others', \"of the sweep's\" the"
                + " median ratio within a turn. Generator and store share this machine.");
        return new Result(List.of(table), notes);
    }

    /**
     * Compares Redis with table 1 of the SoAR paper. The paper's stores do not run here, so the comparison is of a
     * property that all of them show.
     */
    static String table1(Table table) {
        double profile = adaptive(table, RatedStore.REDIS_VIEW_PROFILE);
        double friends = adaptive(table, RatedStore.REDIS_LIST_FRIENDS);
        return Phrase.of(
                "SoAR, table 1, View Profile and List Friends, actions/s: SQL-X 5,714 and 401, MongoDB"
                        + " 7,699 and 295, HBase 5,653 and 214, Neo4j 2,521 and 112, so 14.2 to"
                        + " 26.4 times. Redis here: %,.0f and %,.0f, %.1f times.",
                profile, friends, profile / friends);
    }

    /** Rating of a store by the adaptive technique; NaN: not rated. */
    private static double adaptive(Table table, RatedStore store) {
        return table.rows().stream()
                .filter(r -> r.get(0).equals(store.toString()) && r.get(1).equals("adaptive"))
                .map(r -> r.get(table.columns().indexOf("rating")))
                .mapToDouble(rating -> rating == null ? Double.NaN : (double) rating)
                .findFirst()
                .orElse(Double.NaN);
    }

    private static Rater on(Target target) {
        return new Rater() {
            private LocalRating experiments;

            @Override
            public Rating rate(RatingRequest request) throws InterruptedException {
                return LocalRating.run(request, target, RatingListener.NONE);
            }

            @Override
            public RatingTrial experiment(RatingRequest request, CourseStep.CourseRun run) throws InterruptedException {
                if (experiments == null) {
                    experiments = new LocalRating(request, target, RatingListener.NONE);
                }
                return experiments.experiment(run);
            }
        };
    }

    /** Adds a row for the sweep and for each technique. */
    static void compare(
            String store,
            LoadModel model,
            double unit,
            long highestLoad,
            long millis,
            Rater rater,
            Table table,
            Context context)
            throws InterruptedException {
        RatingRequest plain = request(store, RatingTechnique.SWEEP, model, unit, highestLoad, millis);
        int[] number = {0};
        Runs runs = load ->
                rater.experiment(plain, new CourseStep.CourseRun(++number[0], load, TrialPurpose.CLIMB, millis));
        List<FoundRating> found = new ArrayList<>();
        long began = System.nanoTime();
        Sweep sweep = Sweep.of(highestLoad, runs);
        found.add(new FoundRating(
                "sweep",
                sweep.best().map(Sweep.Best::load).orElse(null),
                sweep.best().map(Sweep.Best::throughput).orElse(null),
                "",
                sweep.experiments(),
                seconds(began)));
        context.say("%s: sweep %s", store, sweep);
        for (RatingTechnique technique : TECHNIQUES) {
            long start = System.nanoTime();
            Rating rating = rater.rate(request(store, technique, model, unit, highestLoad, millis));
            boolean isRated = rating.state() == RatingState.FOUND || rating.state() == RatingState.AT_LEAST;
            found.add(new FoundRating(
                    technique.name().toLowerCase(Locale.ROOT),
                    isRated ? rating.load() : null,
                    isRated ? rating.throughput() : null,
                    "unknown: " + rating.state(),
                    rating.trials().size(),
                    seconds(start)));
            context.say(
                    "%s: %s %s load %d %.0f/s %s",
                    store, technique, rating.state(), rating.load(), rating.throughput(), rating.remark());
        }
        rows(store, found, turns(found, context.choose(3, 7, 9), runs), table);
    }

    /**
     * The best load that a technique or the sweep found.
     *
     * @param load null: it found none
     * @param throughput as reported, requests a second; null: it found none
     * @param without verdict if it found none
     */
    private record FoundRating(
            String by, Long load, Double throughput, String without, int experiments, double seconds) {}

    /** Runs one experiment at a load. */
    interface Runs {
        RatingTrial at(long load) throws InterruptedException;
    }

    /** Runs experiments in turns at the loads that were found. A technique that found no load gets an empty result. */
    private static List<Repetitions<RatingTrial>> turns(List<FoundRating> found, int turns, Runs runs)
            throws InterruptedException {
        List<Repetitions<RatingTrial>> trials = new ArrayList<>();
        found.forEach(way -> trials.add(new Repetitions<>()));
        for (int turn = 0; turn < turns; turn++) {
            for (int i = 0; i < found.size(); i++) {
                // Each turn begins with another way, so that none always follows the same.
                int way = (turn + i) % found.size();
                if (found.get(way).load() != null) {
                    trials.get(way).add(runs.at(found.get(way).load()));
                }
            }
        }
        return trials;
    }

    private static void rows(String store, List<FoundRating> found, List<Repetitions<RatingTrial>> turns, Table table) {
        List<RatingTrial> sweep = turns.get(0).all();
        for (int i = 0; i < found.size(); i++) {
            FoundRating way = found.get(i);
            List<RatingTrial> trials = turns.get(i).all();
            long passed = trials.stream()
                    .filter(t -> t.verdict() == TrialVerdict.PASSED)
                    .count();
            Repetitions<Double> ratios = new Repetitions<>();
            for (int t = 0; t < Math.min(trials.size(), sweep.size()); t++) {
                ratios.add(trials.get(t).throughput() / sweep.get(t).throughput());
            }
            Double ratio = i == 0 || ratios.all().isEmpty() ? null : ratios.median(r -> r);
            table.row()
                    .cell("store", store)
                    .cell("by", way.by())
                    .cell("load", way.load())
                    .cell("rating", way.throughput())
                    .cell("again", trials.isEmpty() ? null : turns.get(i).median(RatingTrial::throughput))
                    .cell("passed", trials.isEmpty() ? "" : passed + " of " + trials.size())
                    .cell("of the sweep's", ratio)
                    .cell("within 5 %", i == 0 ? "" : verdict(way, ratio, 2 * passed > trials.size()))
                    .cell("experiments", way.experiments())
                    .cell("seconds", way.seconds());
        }
    }

    private static String verdict(FoundRating way, Double ratio, boolean passes) {
        if (ratio == null) {
            return way.load() == null ? way.without() : "unknown: the sweep found NONE";
        }
        return passes && Math.abs(ratio - 1) <= SAME ? "yes" : "NO";
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    static RatingRequest request(
            String store, RatingTechnique technique, LoadModel model, double unit, long highestLoad, long millis) {
        return new RatingRequest(
                "bench-" + technique,
                "",
                store,
                new AgreementTerms(0.95, model == LoadModel.OPEN ? 50_000 : 1_000_000, 0, 0, 0.01, millis),
                new SearchTerms(technique, 2, 0, ACCURACY, highestLoad, MOST_EXPERIMENTS),
                ExperimentTermsBuilder.builder()
                        .model(model)
                        .unit(unit)
                        .warmUpMillis(millis / 2)
                        .millis(millis)
                        .noiseReadings(2)
                        .earlyStopError(1e-6)
                        .generators(1)
                        .patienceMillis(PATIENCE_MILLIS)
                        .seed(1)
                        .build(),
                System.currentTimeMillis());
    }
}
