package io.kipimo.cli.advice;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.cli.topics.RecordedFile;
import io.kipimo.core.quality.fanout.model.FanOut;
import io.kipimo.core.quality.fanout.model.FanOutAdvice;
import io.kipimo.core.quality.fanout.model.FanOutAdvice.FanOutOutcome;
import io.kipimo.core.quality.fanout.model.FanOutPoint;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kipimo fanout}: estimates how much work a service saves if queries ask fewer components. */
@Command(
        name = "fanout",
        description = {
            "Prints quality against effort if fewer components were asked, and what that saves at an objective. Two "
                    + "choices bracket what is possible: the same components for all queries, and a perfect choice "
                    + "for each query, which no model surpasses. Between them is the choice of a model, if front "
                    + "ends state features of queries. It is judged on queries that it did not learn "
                    + "(cross-validation). Effort is the share of the components' latencies. It is computed from "
                    + "measured queries whose components all delivered. Nothing is changed.",
            "",
            "If the policy lets queries ask fewer components, it also prints what front ends "
                    + "choose by: state (ON, SHADOW, OFF), reason, and until when it is valid.",
            "",
            "Exits with 0 if work can be saved, 1 if there is nothing to gain, 3 if too few queries are known."
        },
        footer = {
            "  kipimo fanout --service search --class low --objective 0.95",
            "  kipimo tail quality --from-beginning --until-end | kipimo fanout --measurements -"
        })
public final class FanOutCommand extends KafkaCommand {
    private static final double DEFAULT_OBJECTIVE = 0.95;

    /** Greatest number of queries whose features are kept. */
    private static final int MOST_FEATURED = 200_000;

    @Mixin
    private ClassFilter filter;

    @Option(
            names = "--objective",
            paramLabel = "QUALITY",
            defaultValue = "" + DEFAULT_OBJECTIVE,
            description = "Mean quality to keep, 0..1. Default: ${DEFAULT-VALUE}")
    private double objective;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "On a running system: read the last 45s, 30m, 2h. Default: 1h")
    private String since;

    @Option(
            names = "--measurements",
            paramLabel = "FILE",
            description = "Output of kipimo tail quality; - is standard input.")
    private String measurements;

    @Option(
            names = "--answers",
            paramLabel = "FILE",
            description = "With --measurements: output of kipimo tail answers, for the features of queries.")
    private String answers;

    @Option(
            names = "--publications",
            paramLabel = "FILE",
            description = "With --measurements: output of kipimo tail fan-out, for what front ends choose by.")
    private String publications;

    private final Map<ServiceClass, FanOut> byClass = new TreeMap<>();

    /** The newest publication of each class. */
    private final Map<ServiceClass, FanOutPublication> inForce = new TreeMap<>();

    /** Features of queries, by query id. */
    private final Map<String, Features> features = new HashMap<>();

    @Override
    public Integer call() {
        InputException.throwIf(!(objective >= 0 && objective <= 1), "--objective is " + objective + "; allowed: 0..1");
        InputException.throwIf(
                measurements != null && since != null,
                "--since needs a running system; allowed without --measurements only");
        InputException.throwIf(
                answers != null && measurements == null, "--answers is a file; allowed with --measurements only");
        InputException.throwIf(
                publications != null && measurements == null,
                "--publications is a file; allowed with --measurements only");
        if (measurements != null) {
            if (publications != null) {
                RecordedFile.read(publications, Codecs.FAN_OUT_PUBLICATION, this::add);
            }
            if (answers != null) {
                RecordedFile.read(answers, Codecs.ANSWER, this::learn);
            }
            RecordedFile.read(measurements, Codecs.MEASUREMENT, this::add);
        } else {
            long from = System.currentTimeMillis()
                    - TimeSpan.parse("--since", since == null ? "1h" : since).toMillis();
            KafkaSettings brokers = kafka.connect(Topic.QUALITY);
            TopicReader.read(brokers, Topic.FAN_OUT, 0, Codecs.FAN_OUT_PUBLICATION, this::add);
            TopicReader.read(brokers, Topic.ANSWERS, from, Codecs.ANSWER, this::learn);
            TopicReader.read(brokers, Topic.QUALITY, from, Codecs.MEASUREMENT, this::add);
        }
        Optional<FanOut> known = ClassFilter.only(byClass);
        if (known.isEmpty()) {
            return output.notEnough("nothing was measured of " + filter);
        }
        if (known.get().hasNoChoice()) {
            output.print(
                    () -> new JsonObject()
                            .with("objective", objective)
                            .with("verdict", FanOutOutcome.NOTHING_TO_GAIN.name()),
                    out -> out.println(
                            "nothing to gain here: every query asks one component, so none can be left out"));
            return ExitCodes.NO;
        }
        FanOutAdvice advice = known.get().advice(objective);
        if (advice.outcome() == FanOutOutcome.NOT_ENOUGH) {
            return output.notEnough("the contributions of all components are known of %s queries; needed: %s"
                    .formatted(advice.queries(), FanOut.LEAST_QUERIES));
        }
        output.print(
                () -> new JsonObject()
                        .with("objective", objective)
                        .with("verdict", advice.outcome().name())
                        .with(advice, "queries", "saving")
                        .with(
                                "leftOut",
                                advice.chosen().map(FanOutPoint::leftOut).orElse(List.of()))
                        .with(advice, "fixed", "learned", "perfect")
                        .withPresent("publication", publication(known.get()).map(FanOutCommand::document)),
                out -> {
                    print(out, advice);
                    publication(known.get()).ifPresent(p -> out.println(text(p)));
                });
        return advice.outcome() == FanOutOutcome.NOTHING_TO_GAIN ? ExitCodes.NO : ExitCodes.FINE;
    }

    private void add(Measurement m) {
        if (m.completeness().hasQuality() && filter.matches(m.service(), m.queryClass())) {
            byClass.computeIfAbsent(m.serviceClass(), c -> new FanOut())
                    .add(m, features.getOrDefault(m.queryId(), Features.NONE));
        }
    }

    private void add(FanOutPublication publication) {
        if (filter.matches(publication.service(), publication.queryClass())) {
            inForce.merge(
                    publication.serviceClass(),
                    publication,
                    (old, other) -> other.version() >= old.version() ? other : old);
        }
    }

    /** The published rule by which front ends choose components in the judged class; empty if there is none. */
    private Optional<FanOutPublication> publication(FanOut judged) {
        return byClass.entrySet().stream()
                .filter(c -> c.getValue() == judged)
                .findFirst()
                .map(c -> inForce.get(c.getKey()));
    }

    private static boolean isExpired(FanOutPublication publication) {
        return publication.validUntilMillis() <= System.currentTimeMillis();
    }

    private static Map<String, Object> document(FanOutPublication publication) {
        return new JsonObject()
                .with(publication, "state")
                .with("expired", isExpired(publication))
                .with(publication, "reason", "floor", "exploration", "saving")
                .with(publication, "quality", "queries", "version", "validUntilMillis");
    }

    private static String text(FanOutPublication publication) {
        return "front ends choose components: %s, %s%s%s"
                .formatted(
                        publication.state(),
                        publication.reason(),
                        isExpired(publication) ? "; expired at " : "; valid until ",
                        FigureText.time(publication.validUntilMillis()));
    }

    private void learn(Answer answer) {
        if (!answer.features().isEmpty()
                && features.size() < MOST_FEATURED
                && filter.matches(answer.service(), answer.queryClass())) {
            features.put(answer.queryId(), answer.features());
        }
    }

    private void print(PrintWriter out, FanOutAdvice advice) {
        table("the same components for all queries", advice.fixed()).print(out);
        out.println();
        if (!advice.learned().isEmpty()) {
            table("a learned choice for each query, on " + advice.tested(), advice.learned())
                    .print(out);
            out.println();
        }
        table("a perfect choice for each query", advice.perfect()).print(out);
        out.println();
        out.println(
                switch (advice.outcome()) {
                    case FIXED ->
                        "saves %s of the work at %s without %s"
                                .formatted(
                                        FigureText.share(advice.saving()),
                                        FigureText.fraction(objective),
                                        String.join(
                                                ", ",
                                                advice.chosen().orElseThrow().leftOut()));
                    case LEARNED ->
                        "a learned choice for each query saves %s of the work at %s"
                                .formatted(FigureText.share(advice.saving()), FigureText.fraction(objective));
                    case PER_QUERY ->
                        ("the same choice for all queries saves less than 10 %%; a choice for each query "
                                        + "saves at most %s of the work at %s")
                                .formatted(FigureText.share(advice.saving()), FigureText.fraction(objective));
                    case NOTHING_TO_GAIN ->
                        "nothing to gain here: even a perfect choice saves only %s of the work at %s"
                                .formatted(FigureText.share(advice.saving()), FigureText.fraction(objective));
                    case NOT_ENOUGH -> throw new IllegalStateException("handled before");
                });
    }

    private static TextTable table(String choice, List<FanOutPoint> points) {
        TextTable table = new TextTable("EFFORT", "QUALITY", "INTERVAL", "BELOW 0.5", choice);
        for (FanOutPoint point : points) {
            table.row(
                    FigureText.share(point.effort()),
                    FigureText.fraction(point.quality().mean()),
                    FigureText.interval(point.quality()),
                    FigureText.share(point.belowHalf()),
                    point.leftOut().isEmpty() ? "" : "without " + String.join(", ", point.leftOut()));
        }
        return table;
    }
}
