package io.kipimo.simulator.report;

import io.kipimo.schemas.quality.Estimate;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.SimulationResult;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Runs of one scenario as a page: tables, and plots over time. */
public final class HtmlReport {
    private static final String MINUTES = "minutes";

    private HtmlReport() {}

    /** Returns the HTML page of the runs. */
    public static String page(Scenario scenario, List<NamedRun> runs) {
        Html html = new Html("Simulation: " + scenario.name())
                .paragraph(scenario.description())
                .table(TextReport.classes(runs))
                .table(TextReport.tiers(runs));
        List<List<String>> replication = TextReport.replication(runs);
        if (!replication.isEmpty()) {
            html.table(replication);
        }
        plots(html, runs);
        return html.page();
    }

    /** Adds plots over time. */
    public static void plots(Html html, List<NamedRun> runs) {
        SimulationResult first = runs.get(0).result();
        int highest = 0;
        int lowest = first.classes().size() - 1;
        LinePlot quality = new LinePlot(
                        "True quality, " + first.classes().get(highest).name(), MINUTES)
                .threshold(first.threshold());
        runs.forEach(
                r -> add(quality, r, r.name(), s -> s.classes().get(highest).quality()));
        html.plot(quality);
        if (first.control().isPresent()) {
            LinePlot measured = new LinePlot("Measured quality, sliding windows", MINUTES);
            measured.threshold(first.threshold());
            runs.forEach(r -> add(measured, r, r.name(), s -> mean(s.measured())));
            html.plot(measured);
            LinePlot fraction = new LinePlot("Admitted fraction in force", MINUTES);
            runs.forEach(r -> add(fraction, r, r.name(), SimulationResult.Slot::fraction));
            html.plot(fraction);
        }
        LinePlot admitted =
                new LinePlot("Queries a slot, " + first.classes().get(lowest).name(), MINUTES);
        runs.forEach(
                r -> add(admitted, r, r.name(), s -> s.classes().get(lowest).admitted()));
        // Last, so that a run has one colour in all plots.
        add(admitted, runs.get(0), "offered", s -> s.classes().get(lowest).offered());
        html.plot(admitted);
        LinePlot timeOuts = new LinePlot(
                "Answers with a time-out, " + first.classes().get(highest).name(), MINUTES);
        runs.forEach(
                r -> add(timeOuts, r, r.name(), s -> s.classes().get(highest).timeOutShare()));
        html.plot(timeOuts);
        LinePlot utilisation =
                new LinePlot("Utilisation, " + first.tiers().get(0).name(), MINUTES);
        runs.forEach(r -> add(utilisation, r, r.name(), s -> s.utilisation()[0]));
        html.plot(utilisation);
    }

    private static double mean(Optional<Estimate> estimate) {
        return estimate.map(Estimate::mean).orElse(Double.NaN);
    }

    private static void add(LinePlot plot, NamedRun run, String name, ToDoubleFunction<SimulationResult.Slot> value) {
        List<SimulationResult.Slot> slots = run.result().slots();
        plot.line(
                name,
                slots.stream().mapToDouble(s -> s.startSeconds() / 60).toArray(),
                slots.stream().mapToDouble(value).toArray());
    }
}
