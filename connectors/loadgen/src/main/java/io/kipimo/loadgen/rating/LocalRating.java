package io.kipimo.loadgen.rating;

import io.kipimo.core.rating.CourseStep;
import io.kipimo.core.rating.ExperimentEvaluator;
import io.kipimo.core.rating.RatingProtocol;
import io.kipimo.core.rating.RatingResults;
import io.kipimo.loadgen.generator.Load;
import io.kipimo.loadgen.generator.LoadMeasurement;
import io.kipimo.loadgen.generator.LoadRun;
import io.kipimo.loadgen.generator.RunSettings;
import io.kipimo.loadgen.workload.Restoration;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentTerms;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Rates a target with load generators in this process. */
public final class LocalRating {
    private static final long PROGRESS_MILLIS = 100;

    private final RatingRequest request;
    private final Target target;
    private final RatingListener listener;
    private final List<RatingTrial> trials = new ArrayList<>();

    /** Prepares experiments on {@code target}; the caller closes it. */
    public LocalRating(RatingRequest request, Target target, RatingListener listener) {
        this.request = request;
        this.target = target;
        this.listener = listener;
    }

    /**
     * Rates {@code target}; the caller closes it.
     *
     * @throws InterruptedException if the thread was interrupted; the load has ended then
     */
    public static Rating run(RatingRequest request, Target target, RatingListener listener)
            throws InterruptedException {
        return new LocalRating(request, target, listener).run();
    }

    private Rating run() throws InterruptedException {
        CourseStep step = RatingProtocol.next(request, trials);
        while (step instanceof CourseStep.CourseRun run) {
            var unused = experiment(run);
            step = RatingProtocol.next(request, trials);
        }
        return RatingResults.over(request, trials, (CourseStep.CourseEnd) step, System.currentTimeMillis());
    }

    /**
     * Runs one experiment, after a pause if the previous experiment overloaded the target.
     *
     * @throws InterruptedException if the thread was interrupted; the load has ended then
     */
    public RatingTrial experiment(CourseStep.CourseRun run) throws InterruptedException {
        long before = System.nanoTime();
        Restoration restoration = target.prepare();
        long prepareMillis = restoration == Restoration.NONE
                ? 0
                : Math.max(1, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before));
        List<Workload> workloads = new ArrayList<>();
        List<LoadRun> runs = new ArrayList<>();
        RatingTrial trial;
        try {
            int generators = request.experiments().generators();
            for (int i = 0; i < generators; i++) {
                workloads.add(target.open(new Share(i, generators)));
            }
            recover();
            for (int i = 0; i < generators; i++) {
                runs.add(LoadRun.start(workloads.get(i), settings(run, new Share(i, generators))));
            }
            trial = await(run, runs, prepareMillis);
        } finally {
            runs.forEach(LoadRun::close);
            workloads.forEach(Workload::close);
        }
        trials.add(trial);
        listener.ended(trial);
        return trial;
    }

    private void recover() throws InterruptedException {
        long left = RatingProtocol.recoveredAtMillis(request, trials) - System.currentTimeMillis();
        if (left > 0) {
            TimeUnit.MILLISECONDS.sleep(left);
        }
    }

    private RunSettings settings(CourseStep.CourseRun run, Share share) {
        ExperimentTerms terms = request.experiments();
        return new RunSettings(
                load(terms.model(), RatingProtocol.amount(terms, run.load()), terms.thinkMillis()),
                share,
                terms.warmUpMillis(),
                run.millis(),
                request.agreement().boundMicros(),
                terms.seed() + run.number());
    }

    /** Makes a load from the terms of a rating's experiments. */
    public static Load load(LoadModel model, double amount, long thinkMillis) {
        return switch (model) {
            case OPEN -> new Load.Open(amount);
            case CLOSED -> new Load.Closed((int) Math.min(Load.Closed.MOST_USERS, amount), 1_000 * thinkMillis);
        };
    }

    private RatingTrial await(CourseStep.CourseRun run, List<LoadRun> runs, long prepareMillis)
            throws InterruptedException {
        while (!runs.stream().allMatch(r -> r.result().isDone())) {
            TimeUnit.MILLISECONDS.sleep(PROGRESS_MILLIS);
            ExperimentCounts soFar =
                    runs.stream().map(LoadRun::counts).reduce(ExperimentCounts.NONE, ExperimentCounts::plus);
            long overdue = runs.stream().mapToLong(LoadRun::overdueMillis).max().orElse(0);
            if (overdue > request.experiments().patienceMillis()) {
                throw new IllegalStateException(
                        "experiment " + run.number() + " has hung: a request of the target blocks");
            }
            if (ExperimentEvaluator.isDecided(request, run, soFar)) {
                runs.forEach(LoadRun::stop);
            }
            long remaining =
                    runs.stream().mapToLong(LoadRun::remainingMillis).max().orElse(0);
            listener.underWay(run, soFar, remaining, List.copyOf(trials));
        }
        List<LoadMeasurement> shares = new ArrayList<>();
        for (LoadRun share : runs) {
            try {
                shares.add(share.result().get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("experiment " + run.number() + " broke off: " + e.getCause(), e);
            }
        }
        LoadMeasurement measurement = LoadMeasurement.sum(shares);
        RatingTrial trial = ExperimentEvaluator.judge(request, run, measurement.asMeasured(prepareMillis));
        target.after(trial.counts());
        return trial;
    }
}
