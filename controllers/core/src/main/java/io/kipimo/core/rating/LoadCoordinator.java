package io.kipimo.core.rating;

import io.kipimo.core.guard.Controller;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentBuilder;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.ExperimentReportBuilder;
import io.kipimo.schemas.rating.ExperimentStep;
import io.kipimo.schemas.rating.ExperimentTerms;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.ReportStage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Coordinates load generators over a log. It reads their reports, and emits commands and each change of the rating.
 *
 * <p>Each experiment has these stages: a roll call, preparation by the generators that answered, the run, and the sum
 * of their counts. A generator may send its report of an experiment several times; all copies are equal, so reading the
 * log again from an earlier offset gives the same rating. If a generator stops reporting, its experiment is void and
 * runs again, with other generators if necessary.
 *
 * <p>The coordinator needs neither a lock nor an epoch: the operator of a rating keeps other controllers off the
 * target, and an experiment is identified by its number and seed.
 */
public final class LoadCoordinator
        implements Controller<LoadCoordinatorState, ExperimentReport, RatingDecision, RatingRequest> {
    /** Interval between roll calls until enough generators have answered, milliseconds. */
    static final long CALL_MILLIS = 2_000;

    /** Handles a report of a generator. */
    @Override
    public Step<LoadCoordinatorState, RatingDecision> step(
            LoadCoordinatorState state, ExperimentReport report, StepContext<RatingRequest> context) {
        Optional<Experiment> current = state.current();
        if (current.isEmpty() || !isOf(current.get(), report)) {
            return next(state, context);
        }
        ExperimentReport known = state.reports().get(report.generator());
        Map<String, ExperimentReport> reports = new HashMap<>(state.reports());
        ExperimentReport newest = known != null && known.stage().compareTo(report.stage()) > 0 ? known : report;
        reports.put(report.generator(), cameAt(newest, context.nowMillis()));
        return next(state.with(current, reports), context);
    }

    private static boolean isOf(Experiment experiment, ExperimentReport report) {
        return experiment.number() == report.number() && experiment.seed() == report.seed();
    }

    private static ExperimentReport cameAt(ExperimentReport report, long nowMillis) {
        return ExperimentReportBuilder.builder(report).atMillis(nowMillis).build();
    }

    /** Handles the passage of time. */
    @Override
    public Step<LoadCoordinatorState, RatingDecision> heartbeat(
            LoadCoordinatorState state, StepContext<RatingRequest> context) {
        return next(state, context);
    }

    private static Step<LoadCoordinatorState, RatingDecision> next(
            LoadCoordinatorState state, StepContext<RatingRequest> context) {
        Rating rating = state.rating();
        if (rating.state().isOver()) {
            return Step.silent(state);
        }
        CourseStep step = RatingProtocol.next(context.policy(), rating.trials());
        if (step instanceof CourseStep.CourseEnd done) {
            return over(state, done, context);
        }
        CourseStep.CourseRun run = (CourseStep.CourseRun) step;
        if (state.current().isEmpty()) {
            return call(state, run, context);
        }
        Experiment current = state.current().get();
        return switch (current.step()) {
            case ROLL_CALL -> choose(state, current, context);
            case PREPARE -> start(state, run, current, context);
            case RUN, STOP -> watch(state, run, current, context);
            case CANCEL -> call(state, run, context);
        };
    }

    private static Step<LoadCoordinatorState, RatingDecision> over(
            LoadCoordinatorState state, CourseStep.CourseEnd done, StepContext<RatingRequest> context) {
        Rating over = RatingResults.over(context.policy(), state.rating().trials(), done, context.nowMillis());
        List<RatingDecision> decisions = new ArrayList<>();
        state.current().ifPresent(e -> decisions.add(cancel(e, context)));
        decisions.add(new RatingDecision.Changed(over));
        return new Step<>(state.with(over), decisions);
    }

    private static RatingDecision cancel(Experiment experiment, StepContext<RatingRequest> context) {
        return new RatingDecision.Command(experiment.at(ExperimentStep.CANCEL, context.nowMillis()));
    }

    private static Step<LoadCoordinatorState, RatingDecision> command(
            LoadCoordinatorState state, Experiment command, Map<String, ExperimentReport> reports) {
        return Step.of(state.with(Optional.of(command), reports), new RatingDecision.Command(command));
    }

    private static Step<LoadCoordinatorState, RatingDecision> call(
            LoadCoordinatorState state, CourseStep.CourseRun run, StepContext<RatingRequest> context) {
        RatingRequest request = context.policy();
        ExperimentTerms terms = request.experiments();
        List<RatingTrial> trials = state.rating().trials();
        Experiment call = ExperimentBuilder.builder()
                .ratingId(request.ratingId())
                .number(run.number())
                .step(ExperimentStep.ROLL_CALL)
                .target(request.target())
                .model(terms.model())
                .amount(RatingProtocol.amount(terms, run.load()))
                .thinkMillis(terms.thinkMillis())
                .warmUpMillis(terms.warmUpMillis())
                .millis(run.millis())
                .boundMicros(request.agreement().boundMicros())
                .seed(seed(request, run))
                .issuedAtMillis(context.nowMillis())
                .previous(
                        trials.isEmpty()
                                ? ExperimentCounts.NONE
                                : trials.get(trials.size() - 1).counts())
                .build();
        return command(state, call, Map.of());
    }

    /** Seed of an experiment. It changes with the number, the load and the duration of the experiment. */
    private static long seed(RatingRequest request, CourseStep.CourseRun run) {
        return request.experiments().seed() + 31L * run.number() + 1_000_003L * run.load() + run.millis();
    }

    private static Step<LoadCoordinatorState, RatingDecision> choose(
            LoadCoordinatorState state, Experiment call, StepContext<RatingRequest> context) {
        RatingRequest request = context.policy();
        int needed = request.experiments().generators();
        List<String> answered = state.reports().values().stream()
                .filter(r -> r.stage() != ReportStage.REFUSED)
                .map(ExperimentReport::generator)
                .sorted()
                .limit(needed)
                .toList();
        if (answered.size() == needed) {
            Experiment prepare = with(call, answered).at(ExperimentStep.PREPARE, context.nowMillis());
            return command(state, prepare, state.reports());
        }
        if (context.nowMillis() - call.issuedAtMillis() < CALL_MILLIS) {
            return Step.silent(state);
        }
        Experiment again = call.at(ExperimentStep.ROLL_CALL, context.nowMillis());
        Rating waiting = RatingResults.running(
                request,
                state.rating().trials(),
                "waits for load generators: " + answered.size() + " of " + needed + " have answered",
                context.nowMillis());
        List<RatingDecision> decisions = new ArrayList<>();
        decisions.add(new RatingDecision.Command(again));
        if (!waiting.remark().equals(state.rating().remark())) {
            decisions.add(new RatingDecision.Changed(waiting));
        }
        return new Step<>(state.with(waiting).with(Optional.of(again), state.reports()), decisions);
    }

    private static Experiment with(Experiment call, List<String> generators) {
        return ExperimentBuilder.builder(call).generators(generators).build();
    }

    private static Step<LoadCoordinatorState, RatingDecision> start(
            LoadCoordinatorState state,
            CourseStep.CourseRun run,
            Experiment current,
            StepContext<RatingRequest> context) {
        boolean ready = reports(state, current).size() == current.generators().size()
                && reports(state, current).stream()
                        .allMatch(r ->
                                r.stage() != ReportStage.REFUSED && r.stage().compareTo(ReportStage.READY) >= 0);
        if (ready) {
            long recoveredAtMillis = RatingProtocol.recoveredAtMillis(
                    context.policy(), state.rating().trials());
            return context.nowMillis() < recoveredAtMillis
                    ? Step.silent(state)
                    : command(state, current.at(ExperimentStep.RUN, context.nowMillis()), state.reports());
        }
        return lost(state, current, context)
                .map(remark -> giveUp(state, run, current, remark, context))
                .orElseGet(() -> Step.silent(state));
    }

    private static Step<LoadCoordinatorState, RatingDecision> watch(
            LoadCoordinatorState state,
            CourseStep.CourseRun run,
            Experiment current,
            StepContext<RatingRequest> context) {
        List<ExperimentReport> reports = reports(state, current);
        boolean done = reports.size() == current.generators().size()
                && reports.stream().allMatch(r -> r.stage() == ReportStage.DONE);
        if (done) {
            return close(state, run, current, reports, context);
        }
        Optional<String> lost = lost(state, current, context);
        if (lost.isPresent()) {
            return giveUp(state, run, current, lost.get(), context);
        }
        ExperimentCounts soFar =
                reports.stream().map(ExperimentReport::counts).reduce(ExperimentCounts.NONE, ExperimentCounts::plus);
        boolean decided =
                current.step() == ExperimentStep.RUN && ExperimentEvaluator.isDecided(context.policy(), run, soFar);
        return decided
                ? command(state, current.at(ExperimentStep.STOP, context.nowMillis()), state.reports())
                : Step.silent(state);
    }

    /** Reports of the generators that take part in the experiment. */
    private static List<ExperimentReport> reports(LoadCoordinatorState state, Experiment current) {
        return current.generators().stream()
                .map(state.reports()::get)
                .filter(r -> r != null)
                .toList();
    }

    /** The reason why the experiment cannot go on; empty if it can. */
    private static Optional<String> lost(
            LoadCoordinatorState state, Experiment current, StepContext<RatingRequest> context) {
        long patience = context.policy().experiments().patienceMillis();
        for (String generator : current.generators()) {
            ExperimentReport report = state.reports().get(generator);
            if (report != null && report.stage() == ReportStage.REFUSED) {
                return Optional.of("generator " + generator + " refused: " + report.remark());
            }
            long reported = report == null ? 0 : report.atMillis();
            long since = Math.max(reported, Math.max(current.issuedAtMillis(), state.listeningSinceMillis()));
            boolean isDone = report != null && report.stage() == ReportStage.DONE;
            if (!isDone && context.nowMillis() - since > patience) {
                return Optional.of("generator " + generator + " stopped reporting");
            }
        }
        return Optional.empty();
    }

    private static Step<LoadCoordinatorState, RatingDecision> giveUp(
            LoadCoordinatorState state,
            CourseStep.CourseRun run,
            Experiment current,
            String remark,
            StepContext<RatingRequest> context) {
        RatingTrial lost = ExperimentEvaluator.lost(run, current.issuedAtMillis(), shortened(remark));
        return cancelling(current, ended(state, lost, context), context);
    }

    /** Puts the cancellation of an experiment before the decisions of a step. */
    private static Step<LoadCoordinatorState, RatingDecision> cancelling(
            Experiment experiment,
            Step<LoadCoordinatorState, RatingDecision> step,
            StepContext<RatingRequest> context) {
        List<RatingDecision> decisions = new ArrayList<>();
        decisions.add(cancel(experiment, context));
        decisions.addAll(step.decisions());
        return new Step<>(step.next(), decisions);
    }

    /** Cuts a remark to the length that the wire allows. */
    private static String shortened(String remark) {
        return remark.length() <= 250 ? remark : remark.substring(0, 250);
    }

    private static Step<LoadCoordinatorState, RatingDecision> close(
            LoadCoordinatorState state,
            CourseStep.CourseRun run,
            Experiment current,
            List<ExperimentReport> reports,
            StepContext<RatingRequest> context) {
        LatencySketch latencies = new LatencySketch();
        ExperimentCounts counts = ExperimentCounts.NONE;
        long measured = 0;
        long prepare = 0;
        String bottleneck = "";
        for (ExperimentReport report : reports) {
            try {
                latencies.merge(LatencySketch.fromBytes(report.latencies()));
            } catch (IllegalArgumentException e) {
                return giveUp(
                        state,
                        run,
                        current,
                        "generator " + report.generator() + " sent an invalid latency sketch",
                        context);
            }
            counts = counts.plus(report.counts());
            measured = Math.max(measured, report.measuredMillis());
            prepare = Math.max(prepare, report.prepareMillis());
            if (bottleneck.isEmpty() && !report.remark().isEmpty()) {
                bottleneck = "generator " + report.generator() + ": " + report.remark();
            }
        }
        RatingTrial trial = ExperimentEvaluator.judge(
                context.policy(),
                run,
                new ExperimentEvaluator.Measured(
                        current.issuedAtMillis() + current.warmUpMillis(),
                        measured,
                        prepare,
                        counts,
                        latencies.meanMicros(),
                        Math.round(latencies.quantileMicros(0.5)),
                        Math.round(latencies.quantileMicros(0.95)),
                        Math.round(latencies.quantileMicros(0.99)),
                        shortened(bottleneck),
                        measured < run.millis()));
        Step<LoadCoordinatorState, RatingDecision> next = ended(state, trial, context);
        return next.next().rating().state().isOver() ? cancelling(current, next, context) : next;
    }

    /** Adds a finished experiment to the rating and takes the next step. */
    private static Step<LoadCoordinatorState, RatingDecision> ended(
            LoadCoordinatorState state, RatingTrial trial, StepContext<RatingRequest> context) {
        List<RatingTrial> trials = new ArrayList<>(state.rating().trials());
        trials.add(trial);
        Rating running = RatingResults.running(context.policy(), trials, "", context.nowMillis());
        Step<LoadCoordinatorState, RatingDecision> next = next(state.with(running), context);
        if (next.next().rating().state().isOver()) {
            return next;
        }
        List<RatingDecision> decisions = new ArrayList<>(next.decisions());
        decisions.add(new RatingDecision.Changed(running));
        return new Step<>(next.next(), decisions);
    }
}
