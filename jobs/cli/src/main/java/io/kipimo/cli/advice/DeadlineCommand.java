package io.kipimo.cli.advice;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.core.quality.deadline.DeadlineAdvice;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlineCurveBuilder;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kipimo deadline}: prints the expected answer quality at other deadlines. */
@Command(
        name = "deadline",
        description = {
            "Prints answer quality against the deadline, and the shortest deadline at which even "
                    + "the low end of the quality's interval keeps an objective.",
            "",
            "On a running system this is the newest curve of the quality job. With --answers and --partials the "
                    + "command computes it by the same functions from records that kipimo tail printed.",
            "",
            "Exits with 0 if a deadline keeps the objective (or none was given), 1 if none does, 3 "
                    + "if too little is known."
        },
        footer = {
            "  kipimo deadline --service search --class high --objective 0.95 --components",
            "  kipimo tail answers --from-beginning --until-end > answers.jsonl",
            "  kipimo tail partials --from-beginning --until-end > partials.jsonl",
            "  kipimo deadline --answers answers.jsonl --partials partials.jsonl --policy search.yaml"
        })
public final class DeadlineCommand extends KafkaCommand {
    @Mixin
    private ClassFilter filter;

    @Option(
            names = "--objective",
            paramLabel = "QUALITY",
            description = "Mean quality to keep, 0..1. Default: the policy's, if it has one.")
    private Double objective;

    @Option(
            names = "--at-most-millis",
            paramLabel = "MILLIS",
            description = "Longest deadline to consider, because users would not wait longer.")
    private Double longestMillis;

    @Option(
            names = "--components",
            description = "Also print what each component's lateness costs, the mean quality if the "
                    + "component were 25 %% faster, asked twice or not at all, and the "
                    + "effect of other deadlines for this component alone.")
    private boolean components;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            defaultValue = "1h",
            description = "On a running system: read curves of this period. Default: ${DEFAULT-VALUE}")
    private String since;

    @ArgGroup(exclusive = false)
    private RecordedQueries recorded;

    /** A curve, and the objective of its class. */
    record FoundCurve(DeadlineCurve curve, OptionalDouble objective) {}

    @Override
    public Integer call() {
        InputException.throwIf(
                objective != null && !(objective >= 0 && objective <= 1),
                "--objective is " + objective + "; allowed: 0..1");
        InputException.throwIf(
                longestMillis != null && !(longestMillis > 0 && longestMillis <= Double.MAX_VALUE),
                "--at-most-millis is " + longestMillis + "; allowed: a finite number above 0");
        Optional<FoundCurve> found = recorded == null ? newest() : recorded.curve(filter);
        if (found.isEmpty()) {
            return output.notEnough(
                    recorded == null
                            ? "no curve of " + filter + " since " + since
                            : "no answer of " + filter + " is recorded");
        }
        DeadlineCurve curve = found.get().curve();
        OptionalDouble asked = objective == null ? found.get().objective() : OptionalDouble.of(objective);
        if (curve.points().isEmpty()) {
            return output.notEnough("no query has its partial results, or none was counted");
        }
        return print(curve, asked);
    }

    private int print(DeadlineCurve curve, OptionalDouble asked) {
        Optional<DeadlineAdvice> advice = asked.isPresent()
                ? Optional.of(DeadlineAdvice.shortestKeeping(bounded(curve), asked.getAsDouble()))
                : Optional.empty();
        output.print(
                () -> new JsonObject()
                        .with("objective", asked.isPresent() ? asked.getAsDouble() : null)
                        .with("advice", advice.map(a -> a.outcome().name()))
                        .with(
                                "shortestDeadlineMillis",
                                advice.flatMap(DeadlineAdvice::point).map(DeadlinePoint::deadlineMillis))
                        .with("curve", curve),
                out -> {
                    CurveReport report = new CurveReport(curve, asked, Optional.ofNullable(longestMillis));
                    report.printCurve(out);
                    advice.ifPresent(a -> report.printAdvice(out, a));
                    if (components) {
                        report.printComponents(out);
                    }
                });
        return advice.map(DeadlineAdvice::outcome)
                .map(outcome -> switch (outcome) {
                    case KEEPS -> ExitCodes.FINE;
                    case NONE -> ExitCodes.NO;
                    case CANNOT_TELL -> ExitCodes.NOT_ENOUGH;
                })
                .orElse(ExitCodes.FINE);
    }

    private DeadlineCurve bounded(DeadlineCurve curve) {
        return longestMillis == null
                ? curve
                : DeadlineCurveBuilder.builder(curve)
                        .points(curve.points().stream()
                                .filter(p -> p.deadlineMillis() <= longestMillis)
                                .toList())
                        .build();
    }

    private Optional<FoundCurve> newest() {
        long fromMillis =
                System.currentTimeMillis() - TimeSpan.parse("--since", since).toMillis();
        KafkaSettings settings = kafka.connect(Topic.DEADLINES);
        Map<ServiceClass, DeadlineCurve> newest = new TreeMap<>();
        TopicReader.read(settings, Topic.DEADLINES, fromMillis, Codecs.DEADLINE_CURVE, curve -> {
            if (filter.matches(curve.service(), curve.queryClass())) {
                newest.merge(
                        curve.serviceClass(), curve, (old, next) -> next.endMillis() >= old.endMillis() ? next : old);
            }
        });
        return ClassFilter.only(newest).map(curve -> new FoundCurve(curve, objective(settings, curve)));
    }

    private static OptionalDouble objective(KafkaSettings settings, DeadlineCurve curve) {
        Policy policy = PolicyStore.readAll(settings).get(curve.service());
        return policy == null ? OptionalDouble.empty() : objective(policy, curve.queryClass());
    }

    static OptionalDouble objective(Policy policy, String queryClass) {
        return policy.classPolicy(queryClass)
                .map(ClassPolicy::objective)
                .map(OptionalDouble::of)
                .orElse(OptionalDouble.empty());
    }
}
