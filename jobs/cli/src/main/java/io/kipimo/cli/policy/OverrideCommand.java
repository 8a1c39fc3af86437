package io.kipimo.cli.policy;

import io.kipimo.cli.kafka.KafkaOptions;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.JsonOption;
import io.kipimo.cli.terminal.Table;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.PolicyStore;
import java.io.PrintWriter;
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
                "A person's word on the admitted fraction of one class, or on a service's replication"
                        + " factors, above every controller, until it ends or is cleared.",
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExamples:%n",
        footer = {
            "  kipimo override set search low 0.25 --for 30m --by ada --reason 'fail-over drill'",
            "  kipimo override list",
            "  kipimo override clear search low",
            "  kipimo override factors search 2 1 --for 30m --by ada --reason 'slow disks'",
            "  kipimo override clear-factors search"
        })
public final class OverrideCommand implements Runnable {
    private static final String UNTIL_CLEARED = "cleared";

    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "override needs one of set, clear, factors, clear-factors, list");
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
        ManualOverride override = new ManualOverride(fraction, untilMillis(duration), by, reason);
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

    @Command(
            name = "factors",
            description = "Sets the replication factors of a service for some time.")
    int factors(
            @Parameters(paramLabel = "SERVICE", description = "The service.") String service,
            @Parameters(
                            arity = "1..*",
                            paramLabel = "FACTOR",
                            description = "One a tier, in the order of the policy, at least 1.")
                    List<Integer> factors,
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
        FactorOverride override = new FactorOverride(factors, untilMillis(duration), by, reason);
        return changeFactors(kafka, service, Optional.of(override), json);
    }

    @Command(
            name = "clear-factors",
            description = "Gives a service's factors back to the controller.")
    int clearFactors(
            @Parameters(paramLabel = "SERVICE", description = "The service.") String service,
            @Mixin KafkaOptions kafka,
            @Mixin JsonOption json) {
        return changeFactors(kafka, service, Optional.empty(), json);
    }

    private int changeFactors(
            KafkaOptions kafka,
            String service,
            Optional<FactorOverride> override,
            JsonOption json) {
        Policy policy =
                Policies.change(
                                kafka.connect(Topic.POLICIES),
                                service,
                                stored -> Policies.withFactors(stored, override))
                        .policy();
        if (json.isSet()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("service", policy.service());
            document.put("version", policy.version());
            document.put(
                    "override",
                    override.map(o -> document(policy, o, System.currentTimeMillis()))
                            .orElse(null));
            JsonOption.print(out(), document);
        } else {
            out().println(
                            policy.service()
                                    + override.map(
                                                    o ->
                                                            " has factors "
                                                                    + o.factors()
                                                                    + " until "
                                                                    + until(o.untilMillis()))
                                            .orElse(" has no override of factors")
                                    + " (policy version "
                                    + policy.version()
                                    + ")");
        }
        return ExitCodes.FINE;
    }

    private static long untilMillis(String duration) {
        return duration.equals(UNTIL_CLEARED)
                ? 0
                : Instant.now()
                        .plus(TimeSpan.parse("--for", duration, " or " + UNTIL_CLEARED))
                        .toEpochMilli();
    }

    @Command(name = "list", description = "Prints every override there is, also those that ended.")
    int list(@Mixin KafkaOptions kafka, @Mixin JsonOption json) {
        long nowMillis = System.currentTimeMillis();
        Table table = new Table("service", "class", "value", "until", "in force", "by", "reason");
        List<Map<String, Object>> documents = new ArrayList<>();
        for (Policy policy : PolicyStore.readAll(kafka.connect(Topic.POLICIES)).values()) {
            for (ClassPolicy c : policy.classes()) {
                if (c.override().isPresent()) {
                    ManualOverride o = c.override().get();
                    table.row(
                            policy.service(),
                            c.name(),
                            Double.toString(o.fraction()),
                            until(o.untilMillis()),
                            o.isInForce(nowMillis) ? "yes" : "no",
                            o.by(),
                            o.reason());
                    documents.add(document(policy, c, o, nowMillis));
                }
            }
            policy.replication()
                    .flatMap(ReplicationPolicy::override)
                    .ifPresent(
                            o -> {
                                table.row(
                                        policy.service(),
                                        "(factors)",
                                        o.factors().toString(),
                                        until(o.untilMillis()),
                                        o.isInForce(nowMillis) ? "yes" : "no",
                                        o.by(),
                                        o.reason());
                                documents.add(document(policy, o, nowMillis));
                            });
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
                                                                    + until(o.untilMillis()))
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

    private static Map<String, Object> document(Policy policy, FactorOverride o, long nowMillis) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("service", policy.service());
        document.put("factors", o.factors());
        document.put("untilMillis", o.untilMillis());
        document.put("inForce", o.isInForce(nowMillis));
        document.put("by", o.by());
        document.put("reason", o.reason());
        return document;
    }

    private static String until(long untilMillis) {
        return untilMillis == 0
                ? UNTIL_CLEARED
                : Instant.ofEpochMilli(untilMillis).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
