package io.kipimo.cli.advice;

import io.kipimo.cli.terminal.DotPlot;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.core.quality.deadline.DeadlineAdvice;
import io.kipimo.schemas.deadline.ComponentEconomics;
import io.kipimo.schemas.deadline.ComponentPoint;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlinePoint;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Prints a deadline curve as text. */
final class CurveReport {
    private final DeadlineCurve curve;
    private final OptionalDouble objective;
    private final String deadlines;

    /** @param longestMillis longest deadline that may be advised; empty: no limit */
    CurveReport(DeadlineCurve curve, OptionalDouble objective, Optional<Double> longestMillis) {
        this.curve = curve;
        this.objective = objective;
        this.deadlines = "no deadline"
                + longestMillis.map(l -> " up to " + FigureText.millis(l)).orElse("");
    }

    void printCurve(PrintWriter out) {
        out.println("%s/%s, %s, from %s queries of which %s lacked a component, %s to %s; deadline in force: %s"
                .formatted(
                        curve.service(),
                        curve.queryClass(),
                        curve.metric(),
                        curve.profiles(),
                        curve.degradedProfiles(),
                        FigureText.time(curve.startMillis()),
                        FigureText.time(curve.endMillis()),
                        FigureText.millis(curve.deadlineMillis())));
        out.println();
        DotPlot plot = new DotPlot(
                curve.points().stream()
                        .mapToDouble(point -> point.quality().low())
                        .min()
                        .orElse(0),
                objective.orElse(Double.NaN));
        TextTable table = new TextTable("deadline", "quality", "95 % interval", "complete", plot.title());
        for (DeadlinePoint point : untilNothingChanges()) {
            table.row(
                    FigureText.millis(point.deadlineMillis()),
                    FigureText.fraction(point.quality().mean()),
                    FigureText.interval(point.quality()),
                    FigureText.share(point.complete()),
                    plot.line(
                            point.quality().low(),
                            point.quality().mean(),
                            point.quality().high()));
        }
        table.print(out);
    }

    /** The curve up to the first deadline at which all results have arrived; longer deadlines give the same answer. */
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
        String wanted = FigureText.fraction(objective.orElseThrow());
        out.println();
        out.println(
                switch (advice.outcome()) {
                    case KEEPS ->
                        "shortest deadline that keeps %s: %s"
                                .formatted(
                                        wanted,
                                        FigureText.millis(
                                                advice.point().orElseThrow().deadlineMillis()));
                    case NONE -> deadlines + " keeps " + wanted;
                    case CANNOT_TELL ->
                        "NOT-ENOUGH: %s keeps %s with certainty, but some may; measure more queries"
                                .formatted(deadlines, wanted);
                });
    }

    void printComponents(PrintWriter out) {
        out.println();
        TextTable economics = new TextTable(
                "component", "asked", "late", "costs", "a minute late costs", "25 % faster", "two copies", "dropped");
        for (ComponentEconomics c : curve.components()) {
            economics.row(
                    c.component(),
                    Integer.toString(c.invoked()),
                    FigureText.share(c.invoked() == 0 ? 0 : (double) c.late() / c.invoked()),
                    FigureText.fraction(c.lostQuality()),
                    // In answers of quality 1.
                    FigureText.fraction(c.lostQualityPerLateMinute()) + " answers",
                    FigureText.fraction(c.qualityIfFaster()),
                    FigureText.fraction(c.qualityIfReplicated()),
                    FigureText.fraction(c.qualityIfDropped()));
        }
        economics.print(out);
        out.println();
        TextTable points = new TextTable("component", "deadline for it alone", "in time", "quality");
        for (ComponentEconomics c : curve.components()) {
            for (ComponentPoint point : c.points()) {
                points.row(
                        c.component(),
                        FigureText.millis(point.deadlineMillis()),
                        FigureText.share(point.within()),
                        FigureText.fraction(point.quality()));
            }
        }
        points.print(out);
    }
}
