package io.kipimo.cli.advice;

import io.kipimo.cli.terminal.DotPlot;
import io.kipimo.cli.terminal.Table;
import io.kipimo.core.quality.deadline.DeadlineAdvice;
import io.kipimo.schemas.deadline.ComponentEconomics;
import io.kipimo.schemas.deadline.ComponentPoint;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlinePoint;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A deadline curve for eyes. */
final class CurveReport {
    private final DeadlineCurve curve;
    private final OptionalDouble objective;
    private final String deadlines;

    /**
     * @param longestMillis that may keep the objective
     */
    CurveReport(DeadlineCurve curve, OptionalDouble objective, Optional<Double> longestMillis) {
        this.curve = curve;
        this.objective = objective;
        this.deadlines =
                "no deadline" + longestMillis.map(l -> " up to " + Figures.millis(l)).orElse("");
    }

    void printCurve(PrintWriter out) {
        out.println(
                curve.service()
                        + "/"
                        + curve.queryClass()
                        + ", "
                        + curve.metric()
                        + ", from "
                        + curve.profiles()
                        + " queries of which "
                        + curve.degradedProfiles()
                        + " lacked a component, "
                        + Figures.time(curve.startMillis())
                        + " to "
                        + Figures.time(curve.endMillis())
                        + "; deadline in force: "
                        + Figures.millis(curve.deadlineMillis()));
        out.println();
        DotPlot plot =
                new DotPlot(
                        curve.points().stream()
                                .mapToDouble(point -> point.quality().low())
                                .min()
                                .orElse(0),
                        objective.orElse(Double.NaN));
        Table table = new Table("deadline", "quality", "95 % interval", "complete", plot.title());
        for (DeadlinePoint point : untilNothingChanges()) {
            table.row(
                    Figures.millis(point.deadlineMillis()),
                    Figures.fraction(point.quality().mean()),
                    Figures.interval(point.quality()),
                    Figures.share(point.complete()),
                    plot.line(
                            point.quality().low(), point.quality().mean(), point.quality().high()));
        }
        table.print(out);
    }

    /** Up to the first deadline by which everything is in: longer ones are the same. */
    private List<DeadlinePoint> untilNothingChanges() {
        List<DeadlinePoint> points = curve.points();
        for (int i = 0; i < points.size(); i++) {
            DeadlinePoint point = points.get(i);
            if (point.complete() == 1 && point.deadlineMillis() > curve.deadlineMillis()) {
                return points.subList(0, i + 1);
            }
        }
        return points;
    }

    void printAdvice(PrintWriter out, DeadlineAdvice advice) {
        String wanted = Figures.fraction(objective.orElseThrow());
        out.println();
        out.println(
                switch (advice.outcome()) {
                    case KEEPS ->
                            "shortest deadline that keeps "
                                    + wanted
                                    + ": "
                                    + Figures.millis(advice.point().orElseThrow().deadlineMillis());
                    case NONE -> deadlines + " keeps " + wanted;
                    case CANNOT_TELL ->
                            "NOT-ENOUGH: "
                                    + deadlines
                                    + " keeps "
                                    + wanted
                                    + " for sure, and some may; more queries would tell";
                });
    }

    void printComponents(PrintWriter out) {
        out.println();
        Table economics =
                new Table(
                        "component",
                        "asked",
                        "late",
                        "costs",
                        "a minute late costs",
                        "25 % faster",
                        "two copies",
                        "dropped");
        for (ComponentEconomics c : curve.components()) {
            economics.row(
                    c.component(),
                    Integer.toString(c.invoked()),
                    Figures.share(c.invoked() == 0 ? 0 : (double) c.late() / c.invoked()),
                    Figures.fraction(c.lostQuality()),
                    Figures.fraction(c.lostQualityPerLateMinute()),
                    Figures.fraction(c.qualityIfFaster()),
                    Figures.fraction(c.qualityIfReplicated()),
                    Figures.fraction(c.qualityIfDropped()));
        }
        economics.print(out);
        out.println();
        Table points = new Table("component", "deadline for it alone", "in by then", "quality");
        for (ComponentEconomics c : curve.components()) {
            for (ComponentPoint point : c.points()) {
                points.row(
                        c.component(),
                        Figures.millis(point.deadlineMillis()),
                        Figures.share(point.within()),
                        Figures.fraction(point.quality()));
            }
        }
        points.print(out);
    }
}
