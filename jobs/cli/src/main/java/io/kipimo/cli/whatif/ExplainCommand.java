package io.kipimo.cli.whatif;

import io.kipimo.cli.policy.PolicyDocument;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.PrintingCommand;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.quality.fanout.model.FanOutAccount;
import io.kipimo.core.replication.ReplicationReason;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.topics.Topic;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kipimo explain}: derives a decision again to show its reason. */
@Command(
        name = "explain",
        description = {
            "Derives a recorded decision again from its inputs, and names the input, the "
                    + "controller step and the guard that led to it.",
            "",
            "Needs the windows, the controller's earlier decisions and the policy version of the decision: from the "
                    + "topics, or from the output of kipimo tail for quality-windows, admission or sampling, and "
                    + "policies; for a service with replication, also for replication.",
            "",
            "With --fan-out it tells why queries of a class ask fewer components, or all: from the "
                    + "topics fan-out and policies. With --replication it tells why a service has"
                    + " its replication factors, from the topic replication.",
            "",
            "Exits with 0 if the result is the recorded decision, 1 if it is not, and 3 if too little is known."
        },
        footer = {
            "  kipimo explain search/low --bootstrap-servers localhost:9092",
            "  kipimo explain search/low@12.841 --json",
            "  kipimo explain search    (its sampling rate)",
            "  kipimo explain search/low --fan-out",
            "  kipimo explain search --replication",
            "  kipimo explain search/low --events windows.jsonl --events admission.jsonl --policy search.yaml"
        })
public final class ExplainCommand extends PrintingCommand {
    private static final Pattern FORM = Pattern.compile("([^/@]+)(/[^@]+)?(?:@(\\d{1,18})\\.(\\d{1,18}))?");

    @Parameters(
            paramLabel = "DECISION",
            description = "SERVICE/CLASS for an admitted fraction, SERVICE for a sampling rate: the "
                    + "newest step, not a renewal of it, or the decision with @EPOCH.SEQUENCE.")
    private String decision;

    @Mixin
    private RecordedSources sources;

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "The policy of the decision's version, if it is no longer recorded.")
    private String policyFile;

    @Option(
            names = "--fan-out",
            description = "Tell why queries of SERVICE/CLASS ask fewer components, or all, in place of a decision.")
    private boolean fanOut;

    @Option(
            names = "--replication",
            description = "Tell why SERVICE has its replication factors, in place of a decision.")
    private boolean replication;

    @Override
    public Integer call() {
        Matcher form = FORM.matcher(decision);
        InputException.throwIf(
                !form.matches(),
                "DECISION is '" + decision + "'; allowed: SERVICE/CLASS or SERVICE, and @EPOCH.SEQUENCE");
        boolean isAdmission = form.group(2) != null;
        if (replication) {
            InputException.throwIf(
                    isAdmission || form.group(3) != null || fanOut,
                    "DECISION is '" + decision + "'; allowed with --replication: SERVICE, and no --fan-out");
            return replication(form.group(1));
        }
        if (fanOut) {
            InputException.throwIf(
                    !isAdmission || form.group(3) != null,
                    "DECISION is '" + decision + "'; allowed with --fan-out: SERVICE/CLASS");
            return fanOut(form.group(1), form.group(2).substring(1));
        }
        List<Topic> topics = isAdmission
                ? List.of(Topic.QUALITY_WINDOWS, Topic.ADMISSION, Topic.REPLICATION, Topic.POLICIES)
                : List.of(Topic.QUALITY_WINDOWS, Topic.SAMPLING, Topic.POLICIES);
        RecordedHistory recording = sources.read(form.group(1), topics, 0);
        String scope = form.group(1) + (isAdmission ? form.group(2) : "");
        List<Decision> ofScope = (isAdmission ? recording.admission() : recording.sampling())
                .stream().filter(d -> d.scope().equals(scope)).toList();
        Optional<Decision> wanted = form.group(3) == null
                ? newestStep(ofScope)
                : ofScope.stream()
                        .filter(d -> d.epoch() == Long.parseLong(form.group(3))
                                && d.sequence() == Long.parseLong(form.group(4)))
                        .findFirst();
        if (wanted.isEmpty()) {
            return output.notEnough("no decision " + decision + " is recorded");
        }
        Explanation explanation = isAdmission
                ? Explanation.ofAdmission(recording, policy(), wanted.get())
                : Explanation.ofSampling(recording, policy(), wanted.get());
        output.print(() -> document(wanted.get(), explanation), out -> print(out, wanted.get(), explanation));
        return switch (explanation.verdict()) {
            case SAME -> ExitCodes.FINE;
            case OTHER -> ExitCodes.NO;
            case NOT_ENOUGH -> ExitCodes.NOT_ENOUGH;
        };
    }

    /**
     * Returns the newest decision that is not a mere renewal. The controller renews the fraction in force every few
     * seconds; a renewal has the input and the fraction of the decision before it, and no reason of its own.
     */
    static Optional<Decision> newestStep(List<Decision> ofScope) {
        Decision step = null;
        Decision before = null;
        for (Decision d : ofScope.stream()
                .sorted(Comparator.comparingLong(Decision::epoch).thenComparingLong(Decision::sequence))
                .toList()) {
            boolean isRenewal = before != null
                    && d.asOfMillis() <= before.asOfMillis()
                    && d.value() == before.value()
                    && (d.reason().equals(DecisionReason.RENEWED.name())
                            || d.reason().equals(before.reason()));
            step = isRenewal ? step : d;
            before = d;
        }
        return Optional.ofNullable(step);
    }

    /** Explains the newest publication of a class, by which its queries ask fewer components. */
    private int fanOut(String service, String queryClass) {
        RecordedHistory recording = sources.read(service, List.of(Topic.FAN_OUT, Topic.POLICIES), 0);
        Optional<FanOutPublication> newest = recording.fanOut().stream()
                .filter(p -> p.queryClass().equals(queryClass))
                .max(Comparator.comparingLong(FanOutPublication::version));
        if (newest.isEmpty()) {
            return output.notEnough(
                    "nothing is published of " + decision + ", so all components are asked; a policy with "
                            + "fan_out, and answers with features are needed");
        }
        List<String> account =
                FanOutAccount.of(newest.get(), policy().or(recording::newestPolicy), System.currentTimeMillis());
        output.print(
                () -> new JsonObject()
                        .with(newest.get(), "state")
                        .with("why", newest.get().reason())
                        .with(newest.get(), "version")
                        .with("account", account),
                out -> {
                    out.println(decision + ", version " + newest.get().version());
                    account.forEach(line -> out.println("  " + line));
                });
        return ExitCodes.FINE;
    }

    /** Explains the newest replication factors of a service. */
    private int replication(String service) {
        Optional<ReplicationDecision> newest =
                sources.read(service, List.of(Topic.REPLICATION), 0).replication().stream()
                        .max(Comparator.comparingLong(ReplicationDecision::epoch)
                                .thenComparingLong(ReplicationDecision::sequence));
        if (newest.isEmpty()) {
            return output.notEnough("no decision on replication of " + service + " is recorded");
        }
        ReplicationDecision d = newest.get();
        String sentence = ReplicationReason.named(d.reason())
                .map(ReplicationReason::sentence)
                .orElse("");
        List<String> broken = d.broken().stream()
                .map(b -> String.format(
                        Locale.ROOT, "%s of %s: %.4g, allowed %.4g", b.constraint(), b.tier(), b.value(), b.allowed()))
                .toList();
        JsonObject factors = new JsonObject();
        d.tiers().forEach(tier -> factors.with(tier.tier(), tier.factor()));
        output.print(
                () -> new JsonObject()
                        .with("factors", factors)
                        .with(d, "reason")
                        .with("why", sentence)
                        .with("broken", broken),
                out -> {
                    out.printf(Locale.ROOT, "%s, %d.%d: %s%n", service, d.epoch(), d.sequence(), d.reason());
                    factors.forEach((tier, factor) -> out.println("  " + tier + ": " + factor));
                    out.println("  " + sentence);
                    broken.forEach(line -> out.println("  " + line));
                });
        return ExitCodes.FINE;
    }

    private Optional<Policy> policy() {
        return policyFile == null
                ? Optional.empty()
                : Optional.of(PolicyDocument.read(policyFile).policy());
    }

    private static void print(PrintWriter out, Decision recorded, Explanation explanation) {
        out.println("%s@%s.%s, %s, policy version %s"
                .formatted(
                        recorded.scope(),
                        recorded.epoch(),
                        recorded.sequence(),
                        Instant.ofEpochMilli(recorded.issuedAtMillis()),
                        recorded.configVersion()));
        explanation.account().forEach(line -> out.println("  " + line));
        out.println(explanation.sentence());
    }

    private static Map<String, Object> document(Decision recorded, Explanation explanation) {
        return new JsonObject()
                .with("verdict", explanation.verdict().name().replace('_', '-'))
                .with("why", explanation.sentence())
                .with("recorded", recorded)
                .withPresent("derived", explanation.derived())
                .with("account", explanation.account());
    }
}
