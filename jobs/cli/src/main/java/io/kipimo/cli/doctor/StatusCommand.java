package io.kipimo.cli.doctor;

import io.kipimo.cli.advice.FigureText;
import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.core.quality.window.Cause;
import io.kipimo.core.quality.window.Judgement;
import io.kipimo.core.quality.window.Verdict;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo status}: prints whether each class keeps its objective now. */
@Command(
        name = "status",
        description = {
            "Prints a line for each class: whether its answers keep the objective, their quality, the measurable "
                    + "share, and what is admitted. The console judges by the same rule.",
            "",
            "Exits with 0 if every class keeps its objective or has none, 1 if one is below it or "
                    + "wrong for another reason, 3 if that is not known of one: its interval "
                    + "contains the objective, it is idle, or Kafka does not answer."
        },
        footer = {"  kipimo status --bootstrap-servers localhost:9092", "  kipimo status --service search --json"})
public final class StatusCommand extends KafkaCommand {
    @Option(names = "--service", paramLabel = "NAME", description = "Only this service. Default: all.")
    private String service;

    /** The verdicts that this command prints. */
    enum StatusVerdict {
        FINE,
        /** The quality is below the objective. */
        BELOW,
        /** The class needs attention for another reason than its quality. */
        WRONG,
        UNCERTAIN,
        UNKNOWN,
        IDLE,
        /** Nothing is wrong, and the policy has 0 as the objective, which every answer keeps. */
        NO_OBJECTIVE;

        static StatusVerdict of(Judgement judgement, double objective) {
            return switch (judgement.verdict()) {
                case FINE -> objective == 0 ? NO_OBJECTIVE : FINE;
                case UNCERTAIN -> UNCERTAIN;
                case WRONG -> judgement.causes().contains(Cause.BELOW_OBJECTIVE) ? BELOW : WRONG;
                case UNKNOWN -> UNKNOWN;
                case IDLE -> IDLE;
            };
        }
    }

    /** The state of one class; unknown parts are empty. */
    record StatusLine(Policy policy, ClassPolicy queryClass, Judgement judgement, Optional<Decision> admission) {

        StatusVerdict state() {
            return StatusVerdict.of(judgement, queryClass.objective());
        }

        Optional<QualityWindow> window() {
            return judgement.window();
        }

        /** Tells whether the class keeps its objective, or has none and is not WRONG. */
        boolean isKept() {
            return state() == StatusVerdict.FINE
                    || (queryClass.objective() == 0 && judgement.verdict() != Verdict.WRONG);
        }

        /** The state in words. Adds the first cause to WRONG and UNKNOWN, because no figure in the line shows it. */
        String text() {
            String text = constant(state());
            return state() == StatusVerdict.WRONG || state() == StatusVerdict.UNKNOWN
                    ? text + " (" + constant(judgement.causes().get(0)) + ')'
                    : text;
        }

        private static String constant(Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        /** The state of control in a word: kill switch, shadow, the reason of the decision in force, or none. */
        String control() {
            if (policy.killSwitch()) {
                return "kill switch";
            }
            if (policy.admission().shadow()) {
                return "shadow";
            }
            return admission.map(Decision::reason).orElse("none");
        }

        Map<String, Object> document() {
            return new JsonObject()
                    .with("service", policy.service())
                    .with("class", queryClass.name())
                    .with("state", state().name())
                    .with("causes", judgement.causes())
                    .with("quality", window().flatMap(QualityWindow::estimate))
                    .with("objective", queryClass.objective())
                    .with("endMillis", window().map(QualityWindow::endMillis))
                    .with("measurableShare", window().map(QualityWindow::measurableShare))
                    .with("zeroResultRate", window().flatMap(QualityWindow::zeroResultRate))
                    .with("samples", window().map(QualityWindow::samples).orElse(0))
                    .with("admitted", admission.map(Decision::value))
                    .with("control", control());
        }
    }

    @Override
    public Integer call() {
        long now = System.currentTimeMillis();
        List<StatusLine> lines;
        try {
            lines = lines(new RunningSystem(kafka.connect(), now));
        } catch (BrokerUnavailableException e) {
            output.err().println("kipimo: nothing is known: " + e.getMessage());
            if (output.isDocument()) {
                print(List.of());
            }
            return ExitCodes.NOT_ENOUGH;
        }
        print(lines);
        if (lines.stream().anyMatch(line -> line.judgement().verdict() == Verdict.WRONG)) {
            return ExitCodes.NO;
        }
        boolean isKept = !lines.isEmpty() && lines.stream().allMatch(StatusLine::isKept);
        return isKept ? ExitCodes.FINE : ExitCodes.NOT_ENOUGH;
    }

    private List<StatusLine> lines(RunningSystem system) {
        List<StatusLine> lines = new ArrayList<>();
        system.evidence().forEach((scope, evidence) -> {
            if (service == null || service.equals(scope.service())) {
                lines.add(new StatusLine(
                        evidence.policy().orElseThrow(),
                        evidence.queryClass().orElseThrow(),
                        Judgement.of(evidence, system.nowMillis()),
                        evidence.control().newest().filter(d -> d.validUntilMillis() >= system.nowMillis())));
            }
        });
        return lines;
    }

    private void print(List<StatusLine> lines) {
        output.print(() -> lines.stream().map(StatusLine::document).toList(), out -> print(out, lines));
    }

    private void print(PrintWriter out, List<StatusLine> lines) {
        if (lines.isEmpty()) {
            out.println("there is no policy%s; kipimo policy set stores one"
                    .formatted(service == null ? "" : " of service '" + service + "'"));
            return;
        }
        TextTable table = new TextTable(
                "service", "class", "state", "quality", "objective", "measurable", "samples", "admitted", "control");
        for (StatusLine line : lines) {
            table.row(
                    line.policy().service(),
                    line.queryClass().name(),
                    line.text(),
                    line.window()
                            .flatMap(QualityWindow::estimate)
                            .map(e -> FigureText.fraction(e.mean()) + " (" + FigureText.interval(e) + ")")
                            .orElse("-"),
                    line.queryClass().objective() == 0
                            ? "-"
                            : FigureText.fraction(line.queryClass().objective()),
                    line.window()
                            .map(w -> FigureText.share(w.measurableShare()))
                            .orElse("-"),
                    line.window().map(w -> Integer.toString(w.samples())).orElse("-"),
                    line.admission().map(d -> FigureText.share(d.value())).orElse("-"),
                    line.control());
        }
        table.print(out);
    }
}
