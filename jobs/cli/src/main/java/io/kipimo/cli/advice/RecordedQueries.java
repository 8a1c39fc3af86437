package io.kipimo.cli.advice;

import io.kipimo.cli.policy.PolicyDocument;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.cli.topics.RecordedFile;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.schemas.codec.Codecs;
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

/** Answers and partial results that were recorded, and how they are to be judged. */
final class RecordedQueries {
    private static final int DEFAULT_TOP_K = 20;
    private static final String DEFAULT_EXPIRATION_WINDOW = "10s";

    @Option(
            names = "--answers",
            required = true,
            paramLabel = "FILE",
            description = "What kipimo tail answers printed; - is standard input.")
    private String answers;

    @Option(
            names = "--partials",
            required = true,
            paramLabel = "FILE",
            description = "What kipimo tail partials printed; - is standard input.")
    private String partials;

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "The service's policy, as for kipimo policy set.")
    private String policyFile;

    @Option(
            names = "--metric",
            paramLabel = "METRIC",
            description =
                    "Without a policy: the similarity function, such as tpr@20; answers are the"
                            + " best by score.")
    private String metric;

    @Option(
            names = "--top-k",
            paramLabel = "N",
            defaultValue = "" + DEFAULT_TOP_K,
            description =
                    "Without a policy: size of answers whose queries did not say."
                            + " Default: ${DEFAULT-VALUE}")
    private int topK;

    @Option(
            names = "--expiration-window",
            paramLabel = "TIME",
            defaultValue = DEFAULT_EXPIRATION_WINDOW,
            description =
                    "Without a policy: how long after a query's start its results count."
                            + " Default: ${DEFAULT-VALUE}")
    private String expirationWindow;

    @Option(
            names = "--observations",
            paramLabel = "FILE",
            description =
                    "What kipimo tail observations printed of the same time: the front ends' counts"
                            + " of all queries. Without it the recorded answers stand for all, and"
                            + " intervals do not say how far they may not.")
    private String observations;

    /**
     * The curve of the class that was asked for; empty if no query of it was recorded.
     *
     * @throws InputException if something cannot be read, or several classes were recorded
     */
    Optional<DeadlineCommand.Found> curve(ClassFilter filter) {
        Policy policy = policy();
        Map<String, List<Answer>> byClass = new TreeMap<>();
        RecordedFile.read(
                answers,
                Codecs.ANSWER,
                answer -> {
                    if (answer.kind() == AnswerKind.ONLINE
                            && filter.matches(answer.service(), answer.queryClass())) {
                        byClass.computeIfAbsent(
                                        answer.service() + '/' + answer.queryClass(),
                                        name -> new ArrayList<>())
                                .add(answer);
                    }
                });
        return ClassFilter.only(byClass).map(chosen -> found(policy, chosen));
    }

    private DeadlineCommand.Found found(Policy policy, List<Answer> chosen) {
        RecordedCurve recording = new RecordedCurve(policy, chosen);
        RecordedFile.read(partials, Codecs.PARTIAL_RESULT, recording::add);
        if (observations != null) {
            RecordedFile.read(observations, Codecs.OBSERVATION, recording::add);
        }
        return new DeadlineCommand.Found(
                recording.curve(), DeadlineCommand.objective(policy, chosen.get(0).queryClass()));
    }

    private Policy policy() {
        if ((policyFile == null) == (metric == null)) {
            throw new InputException(
                    "recorded answers need a way to judge them; allowed: one of --policy, --metric");
        }
        Policy policy =
                policyFile == null
                        ? byMetric()
                        : PolicyDocument.parse(policyFile, InputFile.text(policyFile)).policy();
        if (policy.merge().kind() == MergeKind.REPLAYED_ANSWERS) {
            throw new InputException(
                    policyFile
                            + ": merge.kind is REPLAYED_ANSWERS; allowed: one that merges partial"
                            + " results, which can be merged again for another deadline");
        }
        return policy;
    }

    private Policy byMetric() {
        if (topK < 1) {
            throw new InputException("--top-k is " + topK + "; allowed: at least 1");
        }
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
