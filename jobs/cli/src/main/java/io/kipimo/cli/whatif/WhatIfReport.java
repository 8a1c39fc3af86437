package io.kipimo.cli.whatif;

import io.kipimo.cli.advice.FigureText;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.core.whatif.ClassOutcome;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.document.JsonObject;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints the answer to a what-if question, as text and as JSON. */
record WhatIfReport(WhatIf.WhatIfAnswer answer) {
    private static final int SHOWN = 20;

    void print(PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%s, %s to %s: %d control batches, %s%n%n",
                answer.policy().service(),
                FigureText.time(answer.batches().fromMillis()),
                FigureText.time(answer.batches().untilMillis()),
                answer.batches().count(),
                answer.answers() == 0 ? "as recorded" : "measured again from " + answer.answers() + " answers");
        classes().print(out);
        out.println();
        rates(out);
        decisions(out);
        answer.notes().forEach(note -> out.println("Note: " + note));
    }

    private TextTable classes() {
        TextTable table = new TextTable(
                "class",
                "offered",
                "quality then",
                "quality now",
                "turned away then",
                "decided then",
                "now",
                "moves then",
                "now",
                "fraction at the end then",
                "now");
        answer.fates()
                .forEach((name, fate) -> table.row(
                        name,
                        Long.toString(fate.now().offered()),
                        quality(fate.then()),
                        quality(fate.now()),
                        percent(fate.rejected()),
                        known(percent(fate.then().shed())),
                        percent(fate.now().shed()),
                        known(Integer.toString(fate.then().moves())),
                        Integer.toString(fate.now().moves()),
                        known(FigureText.fraction(fate.then().last())),
                        FigureText.fraction(fate.now().last())));
        return table;
    }

    /** Returns the figure, or "not recorded" if there are no recorded decisions. */
    private String known(String figure) {
        return hasThen() ? figure : "not recorded";
    }

    private boolean hasThen() {
        return answer.wasDecided();
    }

    private void rates(PrintWriter out) {
        List<WhatIf.DecisionPair> sampling = answer.sampling();
        if (!sampling.isEmpty()) {
            WhatIf.DecisionPair last = sampling.get(sampling.size() - 1);
            out.printf(
                    Locale.ROOT,
                    "Sampling rate at the end: %.4f, %s%s%n",
                    last.now().value(),
                    last.now().reason(),
                    last.then()
                            .map(d -> String.format(Locale.ROOT, "; it was %.4f", d.value()))
                            .orElse(""));
        }
    }

    private void decisions(PrintWriter out) {
        if (answer.lagMillis().isPresent()) {
            out.printf(
                    Locale.ROOT,
                    "%d decisions, each assumed %s after the end of its control batch.%n",
                    answer.admission().size(),
                    FigureText.millis((double) answer.lagMillis().getAsLong()));
            return;
        }
        List<WhatIf.DecisionPair> others =
                answer.admission().stream().filter(pair -> !pair.isAlike()).toList();
        out.printf(
                Locale.ROOT,
                "%d of %d decisions would have been different%s%n",
                others.size(),
                answer.admission().size(),
                others.isEmpty() ? "." : others.size() > SHOWN ? "; the first:" : ":");
        if (!others.isEmpty()) {
            TextTable table = new TextTable("at", "scope", "then", "", "", "now", "", "");
            others.stream().limit(SHOWN).forEach(pair -> row(table, pair));
            table.print(out);
        }
    }

    private static void row(TextTable table, WhatIf.DecisionPair pair) {
        List<String> cells = new ArrayList<>();
        cells.add(Instant.ofEpochMilli(pair.now().issuedAtMillis()).toString());
        cells.add(pair.now().scope());
        cells.addAll(pair.then().map(WhatIfReport::cells).orElse(List.of("none", "", "")));
        cells.addAll(cells(pair.now()));
        table.row(cells);
    }

    private static List<String> cells(Decision decision) {
        return List.of(FigureText.fraction(decision.value()), decision.mode().name(), decision.reason());
    }

    private static String quality(ClassOutcome outcome) {
        return outcome.quality()
                .map(e -> FigureText.fraction(e.mean())
                        + " ("
                        + FigureText.interval(e)
                        + ")"
                        + (outcome.deliberateLoss() > 0
                                ? ", " + FigureText.fraction(outcome.deliberateLoss()) + " lost deliberately"
                                : ""))
                .orElse("not known");
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    Map<String, Object> document() {
        JsonObject classes = new JsonObject();
        answer.fates()
                .forEach((name, fate) -> classes.with(
                        name,
                        new JsonObject()
                                .with("turnedAwayThen", fate.rejected())
                                .with("then", outcome(fate.then()))
                                .with("now", outcome(fate.now()))));
        JsonObject document = new JsonObject()
                .with(answer.policy(), "service")
                .with("policyVersion", answer.policy().version())
                .with("fromMillis", answer.batches().fromMillis())
                .with("untilMillis", answer.batches().untilMillis())
                .with("batches", answer.batches().count())
                .with("answersMeasuredAnew", answer.answers());
        answer.lagMillis().ifPresent(lag -> document.with("lagMillis", lag));
        return document.with("differs", answer.differs())
                .with("classes", classes)
                .with("admission", answer.admission().stream().map(this::pair).toList())
                .with("sampling", answer.sampling().stream().map(this::pair).toList())
                .with("notes", answer.notes());
    }

    private static JsonObject outcome(ClassOutcome outcome) {
        JsonObject document = new JsonObject()
                .with(outcome, "offered", "deliberateLoss", "shed", "moves")
                .with("leastFraction", outcome.least())
                .with("lastFraction", outcome.last());
        return outcome.quality()
                .map(quality -> document.with("quality", quality.mean()).with(quality, "low", "high"))
                .orElse(document);
    }

    private JsonObject pair(WhatIf.DecisionPair pair) {
        JsonObject document = new JsonObject().with(pair.now(), "issuedAtMillis", "scope");
        if (answer.lagMillis().isEmpty()) {
            document.with("alike", pair.isAlike());
        }
        return document.with("now", pair.now()).withPresent("then", pair.then());
    }
}
