package io.kipimo.cli.policy;

import io.kipimo.cli.kafka.KafkaOptions;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.JsonOption;
import io.kipimo.cli.terminal.Table;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.PolicyStore;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kipimo override}: a person's word on one class, above every controller. */
@Command(
        name = "override",
        description =
                "A person's word on the admitted fraction of one class, above every controller,"
                        + " until it ends or is cleared.",
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExamples:%n",
        footer = {
            "  kipimo override set search low 0.25 --for 30m --by ada --reason 'fail-over drill'",
            "  kipimo override list",
            "  kipimo override clear search low"
        })
public final class OverrideCommand implements Runnable {
    private static final String UNTIL_CLEARED = "cleared";

    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "override needs one of set, clear, list");
    }

    @Command(name = "set", description = "Sets the admitted fraction of a class for some time.")
    int set(
            @Parameters(paramLabel = "SERVICE", description = "The service.") String service,
            @Parameters(paramLabel = "CLASS", description = "The class, as in its policy.")
                    String queryClass,
            @Parameters(paramLabel = "FRACTION", description = "To admit, 0..1.") double fraction,
            @Option(
                            names = "--for",
                            required = true,
                            paramLabel = "DURATION",
                            description =
                                    "How long: 45s, 30m, 2h, 1d; 'cleared' is until it is cleared.")
                    String duration,
            @Option(
                            names = "--by",
                            paramLabel = "NAME",
                            defaultValue = "${sys:user.name}",
                            description = "Who says so. Default: your login name.")
                    String by,
            @Option(
                            names = "--reason",
                            required = true,
                            paramLabel = "TEXT",
                            description = "Why; shown with every decision.")
                    String reason,
            @Mixin KafkaOptions kafka,
            @Mixin JsonOption json) {
        if (!(fraction >= 0 && fraction <= 1)) {
            throw new InputException("FRACTION is " + fraction + "; allowed: 0..1");
        }
        Optional<Duration> time =
                duration.equals(UNTIL_CLEARED)
                        ? Optional.empty()
                        : Optional.of(TimeSpan.parse("--for", duration, " or " + UNTIL_CLEARED));
        long untilMillis = time.map(t -> Instant.now().plus(t).toEpochMilli()).orElse(0L);
        ManualOverride override = new ManualOverride(fraction, untilMillis, by, reason);
        return change(kafka, service, queryClass, Optional.of(override), json);
    }

    @Command(
            name = "clear",
            description = "Gives a class back to its controller; fine if it has no override.")
    int clear(
            @Parameters(paramLabel = "SERVICE", description = "The service.") String service,
            @Parameters(paramLabel = "CLASS", description = "The class, as in its policy.")
                    String queryClass,
            @Mixin KafkaOptions kafka,
            @Mixin JsonOption json) {
        return change(kafka, service, queryClass, Optional.empty(), json);
    }

    @Command(name = "list", description = "Prints every override there is, also those that ended.")
    int list(@Mixin KafkaOptions kafka, @Mixin JsonOption json) {
        long nowMillis = System.currentTimeMillis();
        Table table =
                new Table("service", "class", "fraction", "until", "in force", "by", "reason");
        List<Map<String, Object>> documents = new ArrayList<>();
        for (Policy policy : PolicyStore.readAll(kafka.connect(Topic.POLICIES)).values()) {
            for (ClassPolicy c : policy.classes()) {
                if (c.override().isPresent()) {
                    ManualOverride o = c.override().get();
                    table.row(
                            policy.service(),
                            c.name(),
                            Double.toString(o.fraction()),
                            until(o),
                            o.isInForce(nowMillis) ? "yes" : "no",
                            o.by(),
                            o.reason());
                    documents.add(document(policy, c, o, nowMillis));
                }
            }
        }
        if (json.isSet()) {
            JsonOption.print(out(), documents);
        } else {
            table.print(out());
        }
        return ExitCodes.FINE;
    }

    private int change(
            KafkaOptions kafka,
            String service,
            String queryClass,
            Optional<ManualOverride> override,
            JsonOption json) {
        return report(
                Policies.change(
                                kafka.connect(Topic.POLICIES),
                                service,
                                stored -> Policies.with(stored, queryClass, override))
                        .policy(),
                queryClass,
                json);
    }

    private int report(Policy policy, String queryClass, JsonOption json) {
        ClassPolicy c = Policies.classOf(policy, queryClass);
        if (json.isSet()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("service", policy.service());
            document.put("class", queryClass);
            document.put("version", policy.version());
            document.put(
                    "override",
                    c.override()
                            .map(o -> document(policy, c, o, System.currentTimeMillis()))
                            .orElse(null));
            JsonOption.print(out(), document);
        } else {
            out().println(
                            policy.service()
                                    + "/"
                                    + queryClass
                                    + c.override()
                                            .map(
                                                    o ->
                                                            " is admitted at "
                                                                    + o.fraction()
                                                                    + " until "
                                                                    + until(o))
                                            .orElse(" has no override")
                                    + " (policy version "
                                    + policy.version()
                                    + ")");
        }
        return ExitCodes.FINE;
    }

    private static Map<String, Object> document(
            Policy policy, ClassPolicy c, ManualOverride o, long nowMillis) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("service", policy.service());
        document.put("class", c.name());
        document.put("fraction", o.fraction());
        document.put("untilMillis", o.untilMillis());
        document.put("inForce", o.isInForce(nowMillis));
        document.put("by", o.by());
        document.put("reason", o.reason());
        return document;
    }

    private static String until(ManualOverride o) {
        return o.untilMillis() == 0
                ? UNTIL_CLEARED
                : Instant.ofEpochMilli(o.untilMillis()).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
