package io.kipimo.cli.doctor;

import io.kipimo.cli.advice.FigureText;
import io.kipimo.cli.kafka.BrokerOptions;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kipimo status}: how the answers of each class are now. */
@Command(
        name = "status",
        description = {
            "Prints a line for each class: whether its answers keep the objective, their quality, "
                    + "the measurable share, and what is admitted.",
            "",
            "Exits with 0 if every class keeps its objective or has none, 1 if one is below it, 3 if "
                    + "that is not known of one."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  kipimo status --bootstrap-servers localhost:9092",
            "  kipimo status --service search --json"
        })
public final class StatusCommand implements Callable<Integer> {
    /** Older windows say nothing about now. */
    private static final long STALE_MILLIS = 300_000;

    @Option(
            names = "--service",
            paramLabel = "NAME",
            description = "Only this service. Default: all.")
    private String service;

    @Mixin private BrokerOptions kafka;

    @Mixin private OutputOption output;

    @Spec private CommandSpec spec;

    /** Whether the answers keep the objective. */
    enum State {
        /** The low end of the interval is at least the objective. */
        FINE("fine"),
        /** The high end is below it. */
        BELOW("below"),
        /** The interval contains it. */
        UNCERTAIN("uncertain"),
        /** There is no recent estimate, or too little is measurable. */
        UNKNOWN("unknown"),
        /** The policy has 0 as the objective, which every answer keeps. */
        NO_OBJECTIVE("no objective");

        final String text;

        State(String text) {
            this.text = text;
        }

        boolean isKnown() {
            return this != UNKNOWN && this != UNCERTAIN;
        }
    }

    /** One class; what is unknown is empty. */
    record Line(
            Policy policy,
            ClassPolicy queryClass,
            Optional<QualityWindow> window,
            Optional<Decision> admission) {

        State state() {
            if (queryClass.objective() == 0) {
                return State.NO_OBJECTIVE;
            }
            Optional<Estimate> estimate =
                    window.filter(w -> w.measurableShare() >= Unmeasurable.LEAST_MEASURABLE_SHARE)
                            .flatMap(QualityWindow::estimate);
            if (estimate.isEmpty()) {
                return State.UNKNOWN;
            }
            if (estimate.get().low() >= queryClass.objective()) {
                return State.FINE;
            }
            return estimate.get().high() < queryClass.objective() ? State.BELOW : State.UNCERTAIN;
        }

        /** How control applies, in a word. */
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
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("service", policy.service());
            document.put("class", queryClass.name());
            document.put("state", state().name());
            document.put("quality", window.flatMap(QualityWindow::estimate).orElse(null));
            document.put("objective", queryClass.objective());
            document.put("endMillis", window.map(QualityWindow::endMillis).orElse(null));
            document.put(
                    "measurableShare", window.map(QualityWindow::measurableShare).orElse(null));
            document.put("samples", window.map(QualityWindow::samples).orElse(0));
            document.put("admitted", admission.map(Decision::value).orElse(null));
            document.put("control", control());
            return document;
        }
    }

    @Override
    public Integer call() {
        long now = System.currentTimeMillis();
        RunningSystem system = new RunningSystem(kafka.connect(), now);
        Map<ServiceClass, QualityWindow> windows = system.windows();
        Map<String, Decision> decisions = system.decisions();
        List<Line> lines = new ArrayList<>();
        for (Policy policy : system.policies().values()) {
            if (service == null || service.equals(policy.service())) {
                for (ClassPolicy c : policy.classes()) {
                    ServiceClass scope = policy.serviceClass(c);
                    lines.add(
                            new Line(
                                    policy,
                                    c,
                                    Optional.ofNullable(windows.get(scope))
                                            .filter(w -> now - w.endMillis() <= STALE_MILLIS),
                                    Optional.ofNullable(
                                                    decisions.get(Decision.ADMISSION + '/' + scope))
                                            .filter(d -> d.validUntilMillis() >= now)));
                }
            }
        }
        print(lines);
        if (lines.stream().anyMatch(line -> line.state() == State.BELOW)) {
            return ExitCodes.NO;
        }
        boolean known = !lines.isEmpty() && lines.stream().allMatch(line -> line.state().isKnown());
        return known ? ExitCodes.FINE : ExitCodes.NOT_ENOUGH;
    }

    private void print(List<Line> lines) {
        PrintWriter out = spec.commandLine().getOut();
        if (output.isDocument()) {
            output.print(out, lines.stream().map(Line::document).toList());
            return;
        }
        if (lines.isEmpty()) {
            out.println(
                    "there is no policy"
                            + (service == null ? "" : " of service '" + service + "'")
                            + "; kipimo policy set stores one");
            return;
        }
        TextTable table =
                new TextTable(
                        "service",
                        "class",
                        "state",
                        "quality",
                        "objective",
                        "measurable",
                        "samples",
                        "admitted",
                        "control");
        for (Line line : lines) {
            table.row(
                    line.policy().service(),
                    line.queryClass().name(),
                    line.state().text,
                    line.window()
                            .flatMap(QualityWindow::estimate)
                            .map(
                                    e ->
                                            FigureText.fraction(e.mean())
                                                    + " ("
                                                    + FigureText.interval(e)
                                                    + ")")
                            .orElse("-"),
                    line.state() == State.NO_OBJECTIVE
                            ? "-"
                            : FigureText.fraction(line.queryClass().objective()),
                    line.window().map(w -> FigureText.share(w.measurableShare())).orElse("-"),
                    line.window().map(w -> Integer.toString(w.samples())).orElse("-"),
                    line.admission().map(d -> FigureText.share(d.value())).orElse("-"),
                    line.control());
        }
        table.print(out);
    }
}
