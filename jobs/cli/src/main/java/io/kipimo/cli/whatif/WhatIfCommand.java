package io.kipimo.cli.whatif;

import io.kipimo.cli.advice.TimeRange;
import io.kipimo.cli.policy.PolicyDocument;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.PrintingCommand;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kipimo whatif}: derives the decisions that another policy would have led to. */
@Command(
        name = "whatif",
        description = {
            "Replays recorded input through the jobs' own decision code under another policy: the "
                    + "decisions, the share of each class that they turn away, answer quality "
                    + "with its interval, and the difference to what happened.",
            "",
            "If the policy only decides otherwise (controller, signal, gains, guards), it decides on the control "
                    + "batches as recorded, at the same times as the job. If it measures otherwise (metrics, merge, "
                    + "windows, a lower fixed sampling rate), or with --deadline, recorded answers, partial results "
                    + "and observations are measured again.",
            "",
            "Load and components are as recorded; use kipimo simulate for the effect of other fractions on them.",
            "",
            "Exits with 0 if the decisions are the same or there were none, 1 if they differ, 3 if "
                    + "there is nothing to decide on."
        },
        footer = {
            "  kipimo whatif --policy new.yaml --since 2h --bootstrap-servers localhost:9092",
            "  kipimo whatif --policy new.yaml --deadline 80 --events answers.jsonl"
                    + " --events partials.jsonl --events observations.jsonl",
            "  kipimo tail quality-windows --from-beginning --until-end > windows.jsonl",
            "  kipimo tail admission --from-beginning --until-end > admission.jsonl",
            "  kipimo whatif --policy new.yaml --events windows.jsonl --events admission.jsonl --json"
        })
public final class WhatIfCommand extends PrintingCommand {
    private static final List<Topic> TOPICS = List.of(
            Topic.ANSWERS,
            Topic.PARTIALS,
            Topic.OBSERVATIONS,
            Topic.QUALITY_WINDOWS,
            Topic.ADMISSION,
            Topic.SAMPLING,
            Topic.REPLICATION,
            Topic.POLICIES);

    @Option(
            names = "--policy",
            required = true,
            paramLabel = "FILE",
            description = "The changed policy, as for kipimo policy set.")
    private String policyFile;

    @Mixin
    private RecordedSources sources;

    @Option(names = "--since", paramLabel = "TIME", description = "For topics: read the last 45s, 30m, 2h. Default: 1h")
    private String since;

    @Option(
            names = "--from",
            paramLabel = "MOMENT",
            description = "For topics: read from this time: 2026-05-01T12:00:00Z.")
    private String from;

    @Option(
            names = "--deadline",
            paramLabel = "MILLIS",
            description = "Measure as if answers had left at this deadline after the query's start; at "
                    + "most the expiration window.")
    private Integer deadline;

    @Option(names = "--active", description = "Treat the policy as if it were not in shadow mode.")
    private boolean active;

    @Option(
            names = "--lag",
            paramLabel = "TIME",
            description = "Assumed time from the end of a control batch to its decision, instead of the "
                    + "recorded times. Default without recorded ones: 1s")
    private String lag;

    @Override
    public Integer call() {
        long since = fromMillis();
        OptionalLong lagMillis = lag == null
                ? OptionalLong.empty()
                : OptionalLong.of(TimeSpan.parse("--lag", lag).toMillis());
        PolicyDocument document = document();
        RecordedHistory recording = sources.read(document.policy().service(), TOPICS, since);
        // As if it were stored: overrides and kill switch set meanwhile stay in force.
        Policy policy = recording.newestPolicy().map(document::after).orElse(document.policy());
        Optional<WhatIf.WhatIfAnswer> answer = new WhatIf(
                        recording,
                        active ? policy.withAdmission(policy.admission().withShadow(false)) : policy,
                        deadline == null ? OptionalInt.empty() : OptionalInt.of(deadline),
                        lagMillis)
                .answer();
        if (answer.isEmpty()) {
            return output.notEnough(("no control batch of class '%s' of service '%s' by %s, and no answers and "
                            + "observations to make one from")
                    .formatted(
                            policy.highestClass().name(),
                            policy.service(),
                            policy.metrics().get(0)));
        }
        WhatIfReport report = new WhatIfReport(answer.get());
        output.print(report::document, report::print);
        return answer.get().differs() ? ExitCodes.NO : ExitCodes.FINE;
    }

    private PolicyDocument document() {
        InputException.throwIf(deadline != null && deadline < 1, "--deadline is " + deadline + "; allowed: at least 1");
        return PolicyDocument.read(policyFile);
    }

    private long fromMillis() {
        InputException.throwIf(since != null && from != null, "--since and --from are given; allowed: one of them");
        long now = System.currentTimeMillis();
        return from != null
                ? TimeRange.moment("--from", from, now)
                : now - TimeSpan.parse("--since", since == null ? "1h" : since).toMillis();
    }
}
