package io.kipimo.cli.advice;

import io.kipimo.cli.policy.PolicyDocument;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.cli.topics.RecordedFile;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** Options that name files of recorded answers and partial results, and that state how to measure their quality. */
final class RecordedQueries {
    private static final int DEFAULT_TOP_K = 20;
    private static final String DEFAULT_EXPIRATION_WINDOW = "10s";

    @Option(
            names = "--answers",
            required = true,
            paramLabel = "FILE",
            description = "Output of kipimo tail answers; - is standard input.")
    private String answers;

    @Option(
            names = "--partials",
            required = true,
            paramLabel = "FILE",
            description = "Output of kipimo tail partials; - is standard input.")
    private String partials;

    @Option(names = "--policy", paramLabel = "FILE", description = "The service's policy, as for kipimo policy set.")
    private String policyFile;

    @Option(
            names = "--metric",
            paramLabel = "METRIC",
            description = "Without a policy: the similarity function, such as tpr@20; answers are merged by score.")
    private String metric;

    @Option(
            names = "--top-k",
            paramLabel = "N",
            defaultValue = "" + DEFAULT_TOP_K,
            description = "Without a policy: top-k of queries that do not state it. Default: ${DEFAULT-VALUE}")
    private int topK;

    @Option(
            names = "--expiration-window",
            paramLabel = "TIME",
            defaultValue = DEFAULT_EXPIRATION_WINDOW,
            description = "Without a policy: expiration window, from a query's start. Default: ${DEFAULT-VALUE}")
    private String expirationWindow;

    @Option(
            names = "--observations",
            paramLabel = "FILE",
            description = "Output of kipimo tail observations for the same time: the front ends' counts "
                    + "of all queries. Without it the recorded answers represent all "
                    + "queries, and intervals ignore the error of that.")
    private String observations;

    /**
     * Computes the curve of the selected class; empty if no query of the class is recorded.
     *
     * @throws InputException if a file cannot be read, or the filter selects several recorded classes
     */
    Optional<DeadlineCommand.FoundCurve> curve(ClassFilter filter) {
        Policy policy = policy();
        Map<ServiceClass, List<Answer>> byClass = new TreeMap<>();
        RecordedFile.read(answers, Codecs.ANSWER, answer -> {
            if (answer.kind() == AnswerKind.ONLINE && filter.matches(answer.service(), answer.queryClass())) {
                byClass.computeIfAbsent(answer.serviceClass(), name -> new ArrayList<>())
                        .add(answer);
            }
        });
        return ClassFilter.only(byClass).map(chosen -> found(policy, chosen));
    }

    private DeadlineCommand.FoundCurve found(Policy policy, List<Answer> chosen) {
        RecordedCurve recording = new RecordedCurve(policy, chosen);
        RecordedFile.read(partials, Codecs.PARTIAL_RESULT, recording::add);
        if (observations != null) {
            RecordedFile.read(observations, Codecs.OBSERVATION, recording::add);
        }
        return new DeadlineCommand.FoundCurve(
                recording.curve(),
                DeadlineCommand.objective(policy, chosen.get(0).queryClass()));
    }

    private Policy policy() {
        InputException.throwIf(
                (policyFile == null) == (metric == null),
                "recorded answers need a way to measure them; allowed: one of --policy, --metric");
        Policy policy = policyFile == null
                ? byMetric()
                : PolicyDocument.read(policyFile).policy();
        InputException.throwIf(
                policy.merge().kind() == MergeKind.REPLAYED_ANSWERS,
                ("%s: merge.kind is REPLAYED_ANSWERS; allowed: a kind that merges partial results, "
                                + "because these can be merged again for another deadline")
                        .formatted(policyFile));
        return policy;
    }

    private Policy byMetric() {
        InputException.throwIf(topK < 1, "--top-k is " + topK + "; allowed: at least 1");
        return Policy.builder()
                .service("")
                .version(0)
                .metrics(List.of(Similarities.parse(metric).name()))
                .topK(topK)
                .expirationWindowMillis(
                        TimeSpan.parse("--expiration-window", expirationWindow).toMillis())
                .windowMillis(0)
                .slideMillis(0)
                .build();
    }
}
