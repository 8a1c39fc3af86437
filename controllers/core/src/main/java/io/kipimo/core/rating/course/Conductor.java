package io.kipimo.core.rating.course;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.ExperimentStep;
import io.kipimo.schemas.rating.ExperimentTerms;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.ReportStage;
import io.kipimo.schemas.rating.Trial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Conducts load generators that are told and tell over a log: (state, event, now) -> (state,
 * commands).
 *
 * <p>Each experiment calls the roll, has the generators that answer prepare, lets them run, and
 * adds up what they counted. What a generator tells of an experiment stays the same however often
 * it tells it, so that whoever reads the log again from an earlier place comes to the same rating.
 * A generator that falls silent makes its experiment void; it is run again, with others if need be.
 */
public final class Conductor {
    /** How often the roll is called until enough answer. */
    static final long CALL_MILLIS = 2_000;

    private Conductor() {}

    /** A generator's word. */
    public static ConductorStep hear(
            ConductorState state, ExperimentReport report, long nowMillis, long aliveSinceMillis) {
        Optional<Experiment> current = state.current();
        if (current.isEmpty() || !isOf(current.get(), report)) {
            return tick(state, nowMillis, aliveSinceMillis);
        }
        ExperimentReport known = state.reports().get(report.generator());
        Map<String, ExperimentReport> reports = new HashMap<>(state.reports());
        ExperimentReport newest =
                known != null && known.stage().compareTo(report.stage()) > 0 ? known : report;
        reports.put(report.generator(), cameAt(newest, nowMillis));
        return tick(
                new ConductorState(state.rating(), current, reports), nowMillis, aliveSinceMillis);
    }

    private static boolean isOf(Experiment experiment, ExperimentReport report) {
        return experiment.number() == report.number() && experiment.seed() == report.seed();
    }

    private static ExperimentReport cameAt(ExperimentReport report, long nowMillis) {
        return new ExperimentReport(
                report.ratingId(),
                report.number(),
                report.generator(),
                report.stage(),
                nowMillis,
                report.counts(),
                report.measuredMillis(),
                report.prepareMillis(),
                report.latencies(),
                report.lagMicros(),
                report.ownCpu(),
                report.remark(),
                report.seed());
    }

    /**
     * Time passes.
     *
     * @param aliveSinceMillis since when words are heard: a generator is not silent because nobody
     *     listened
     */
    public static ConductorStep tick(ConductorState state, long nowMillis, long aliveSinceMillis) {
        Rating rating = state.rating();
        if (rating.state().isOver()) {
            return quiet(state);
        }
        RatingRequest request = rating.request();
        CourseStep step = RatingCourse.next(request, rating.trials());
        if (step instanceof CourseStep.Done done) {
            Rating over = RatingResults.over(request, rating.trials(), done, nowMillis);
            return new ConductorStep(
                    ConductorState.of(over),
                    state.current()
                            .map(e -> List.of(e.at(ExperimentStep.CANCEL, nowMillis)))
                            .orElse(List.of()),
                    Optional.of(over));
        }
        CourseStep.Run run = (CourseStep.Run) step;
        if (state.current().isEmpty()) {
            return call(state, run, nowMillis);
        }
        Experiment current = state.current().get();
        return switch (current.step()) {
            case ROLL_CALL -> choose(state, current, nowMillis);
            case PREPARE -> start(state, run, current, nowMillis, aliveSinceMillis);
            case RUN, STOP -> watch(state, run, current, nowMillis, aliveSinceMillis);
            case CANCEL -> call(state, run, nowMillis);
        };
    }

    private static ConductorStep quiet(ConductorState state) {
        return new ConductorStep(state, List.of(), Optional.empty());
    }

    private static ConductorStep call(ConductorState state, CourseStep.Run run, long nowMillis) {
        RatingRequest request = state.rating().request();
        ExperimentTerms terms = request.experiments();
        List<Trial> trials = state.rating().trials();
        Experiment call =
                new Experiment(
                        request.ratingId(),
                        run.number(),
                        ExperimentStep.ROLL_CALL,
                        request.target(),
                        List.of(),
                        terms.model(),
                        RatingCourse.amount(terms, run.load()),
                        terms.thinkMillis(),
                        terms.warmUpMillis(),
                        run.millis(),
                        request.agreement().boundMicros(),
                        seed(request, run),
                        nowMillis,
                        trials.isEmpty()
                                ? ExperimentCounts.NONE
                                : trials.get(trials.size() - 1).counts());
        return new ConductorStep(
                new ConductorState(state.rating(), Optional.of(call), Map.of()),
                List.of(call),
                Optional.empty());
    }

    /** Its own of each load, whatever number an experiment has. */
    private static long seed(RatingRequest request, CourseStep.Run run) {
        return request.experiments().seed()
                + 31L * run.number()
                + 1_000_003L * run.load()
                + run.millis();
    }

    private static ConductorStep choose(ConductorState state, Experiment call, long nowMillis) {
        int needed = state.rating().request().experiments().generators();
        List<String> here =
                state.reports().values().stream()
                        .filter(r -> r.stage() != ReportStage.REFUSED)
                        .map(ExperimentReport::generator)
                        .sorted()
                        .limit(needed)
                        .toList();
        if (here.size() == needed) {
            Experiment prepare = with(call, here).at(ExperimentStep.PREPARE, nowMillis);
            return command(state, prepare, state.reports());
        }
        if (nowMillis - call.issuedAtMillis() < CALL_MILLIS) {
            return quiet(state);
        }
        Experiment again = call.at(ExperimentStep.ROLL_CALL, nowMillis);
        Rating waiting =
                RatingResults.running(
                        state.rating().request(),
                        state.rating().trials(),
                        "waits for load generators: " + here.size() + " of " + needed + " are here",
                        nowMillis);
        boolean isNew = !waiting.remark().equals(state.rating().remark());
        return new ConductorStep(
                new ConductorState(waiting, Optional.of(again), state.reports()),
                List.of(again),
                isNew ? Optional.of(waiting) : Optional.empty());
    }

    private static Experiment with(Experiment call, List<String> generators) {
        return new Experiment(
                call.ratingId(),
                call.number(),
                call.step(),
                call.target(),
                generators,
                call.model(),
                call.amount(),
                call.thinkMillis(),
                call.warmUpMillis(),
                call.millis(),
                call.boundMicros(),
                call.seed(),
                call.issuedAtMillis(),
                call.previous());
    }

    private static ConductorStep command(
            ConductorState state, Experiment command, Map<String, ExperimentReport> reports) {
        return new ConductorStep(
                new ConductorState(state.rating(), Optional.of(command), reports),
                List.of(command),
                Optional.empty());
    }

    private static ConductorStep start(
            ConductorState state,
            CourseStep.Run run,
            Experiment current,
            long nowMillis,
            long aliveSinceMillis) {
        boolean ready =
                reports(state, current).size() == current.generators().size()
                        && reports(state, current).stream()
                                .allMatch(
                                        r ->
                                                r.stage() != ReportStage.REFUSED
                                                        && r.stage().compareTo(ReportStage.READY)
                                                                >= 0);
        if (ready) {
            Rating rating = state.rating();
            return nowMillis < RatingCourse.recoveredAtMillis(rating.request(), rating.trials())
                    ? quiet(state)
                    : command(state, current.at(ExperimentStep.RUN, nowMillis), state.reports());
        }
        return lost(state, current, nowMillis, aliveSinceMillis)
                .map(remark -> giveUp(state, run, current, remark, nowMillis))
                .orElseGet(() -> quiet(state));
    }

    private static ConductorStep watch(
            ConductorState state,
            CourseStep.Run run,
            Experiment current,
            long nowMillis,
            long aliveSinceMillis) {
        List<ExperimentReport> reports = reports(state, current);
        boolean done =
                reports.size() == current.generators().size()
                        && reports.stream().allMatch(r -> r.stage() == ReportStage.DONE);
        if (done) {
            return close(state, run, current, reports, nowMillis);
        }
        Optional<String> lost = lost(state, current, nowMillis, aliveSinceMillis);
        if (lost.isPresent()) {
            return giveUp(state, run, current, lost.get(), nowMillis);
        }
        ExperimentCounts soFar =
                reports.stream()
                        .map(ExperimentReport::counts)
                        .reduce(ExperimentCounts.NONE, ExperimentCounts::plus);
        boolean decided =
                current.step() == ExperimentStep.RUN
                        && Judge.isDecided(state.rating().request(), run, soFar);
        return decided
                ? command(state, current.at(ExperimentStep.STOP, nowMillis), state.reports())
                : quiet(state);
    }

    /** Of the generators that take part. */
    private static List<ExperimentReport> reports(ConductorState state, Experiment current) {
        return current.generators().stream()
                .map(state.reports()::get)
                .filter(r -> r != null)
                .toList();
    }

    /** Why the experiment cannot go on. */
    private static Optional<String> lost(
            ConductorState state, Experiment current, long nowMillis, long aliveSinceMillis) {
        long patience = state.rating().request().experiments().patienceMillis();
        for (String generator : current.generators()) {
            ExperimentReport report = state.reports().get(generator);
            if (report != null && report.stage() == ReportStage.REFUSED) {
                return Optional.of("generator " + generator + " refused: " + report.remark());
            }
            long heard = report == null ? 0 : report.atMillis();
            long since = Math.max(heard, Math.max(current.issuedAtMillis(), aliveSinceMillis));
            boolean isDone = report != null && report.stage() == ReportStage.DONE;
            if (!isDone && nowMillis - since > patience) {
                return Optional.of("generator " + generator + " fell silent");
            }
        }
        return Optional.empty();
    }

    private static ConductorStep giveUp(
            ConductorState state,
            CourseStep.Run run,
            Experiment current,
            String remark,
            long nowMillis) {
        Trial lost = Judge.lost(run, current.issuedAtMillis(), shortened(remark));
        return ended(state, lost, List.of(current.at(ExperimentStep.CANCEL, nowMillis)), nowMillis);
    }

    /** Remarks on the wire are short. */
    private static String shortened(String remark) {
        return remark.length() <= 250 ? remark : remark.substring(0, 250);
    }

    private static ConductorStep close(
            ConductorState state,
            CourseStep.Run run,
            Experiment current,
            List<ExperimentReport> reports,
            long nowMillis) {
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
                        "generator " + report.generator() + " sent latencies that are none",
                        nowMillis);
            }
            counts = counts.plus(report.counts());
            measured = Math.max(measured, report.measuredMillis());
            prepare = Math.max(prepare, report.prepareMillis());
            if (bottleneck.isEmpty() && !report.remark().isEmpty()) {
                bottleneck = "generator " + report.generator() + ": " + report.remark();
            }
        }
        Trial trial =
                Judge.judge(
                        state.rating().request(),
                        run,
                        new Judge.Measured(
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
        return ended(state, trial, List.of(), nowMillis);
    }

    private static ConductorStep ended(
            ConductorState state, Trial trial, List<Experiment> before, long nowMillis) {
        RatingRequest request = state.rating().request();
        List<Trial> trials = new ArrayList<>(state.rating().trials());
        trials.add(trial);
        Rating running = RatingResults.running(request, trials, "", nowMillis);
        ConductorState cleared = new ConductorState(running, Optional.empty(), Map.of());
        ConductorStep next = tick(cleared, nowMillis, nowMillis);
        List<Experiment> commands = new ArrayList<>(before);
        commands.addAll(next.commands());
        if (next.next().rating().state().isOver() && before.isEmpty()) {
            state.current().ifPresent(e -> commands.add(e.at(ExperimentStep.CANCEL, nowMillis)));
        }
        return new ConductorStep(
                next.next(), List.copyOf(commands), Optional.of(next.news().orElse(running)));
    }
}
