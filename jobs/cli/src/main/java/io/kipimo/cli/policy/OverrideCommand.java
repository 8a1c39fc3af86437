package io.kipimo.cli.policy;

import io.kipimo.cli.kafka.BrokerOptions;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
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

/** {@code kipimo override}: sets a person's decision on one class, which precedes every controller. */
@Command(
        name = "override",
        description = "A person's decision on the admitted fraction of one class, or on a service's replication "
                + "factors. It precedes every controller until it ends or is cleared.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "  kipimo override set search low 0.25 --for 30m --by ada --reason 'fail-over drill'",
            "  kipimo override list",
            "  kipimo override clear search low",
            "  kipimo override factors search 2 1 --for 30m --by ada --reason 'slow disks'",
            "  kipimo override clear-factors search"
        })
public final class OverrideCommand implements Runnable {
    /** Word in place of a duration, for an override that holds until it is cleared. */
    private static final String UNTIL_CLEARED = "cleared";

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "override needs one of set, clear, factors, clear-factors, list");
    }

    @Command(name = "set", description = "Sets the admitted fraction of a class for some time.")
    int set(
            @Parameters(paramLabel = "SERVICE", description = "The service.") String service,
            @Parameters(paramLabel = "CLASS", description = "The class, as in its policy.") String queryClass,
            @Parameters(paramLabel = "FRACTION", description = "Admitted fraction, 0..1.") double fraction,
            @Mixin Given terms,
            @Mixin BrokerOptions kafka,
            @Mixin OutputOption output) {
        InputException.throwIf(!(fraction >= 0 && fraction <= 1), "FRACTION is " + fraction + "; allowed: 0..1");
        ManualOverride override = new ManualOverride(fraction, terms.untilMillis(), terms.by, terms.reason);
        return change(kafka, service, queryClass, Optional.of(override), output);
    }

    @Command(
            name = "clear",
            description = "Clears the override of a class, so its controller decides again; succeeds also without one.")
    int clear(
            @Parameters(paramLabel = "SERVICE", description = "The service.") String service,
            @Parameters(paramLabel = "CLASS", description = "The class, as in its policy.") String queryClass,
            @Mixin BrokerOptions kafka,
            @Mixin OutputOption output) {
        return change(kafka, service, queryClass, Optional.empty(), output);
    }

    @Command(name = "factors", description = "Sets the replication factors of a service for some time.")
    int factors(
            @Parameters(paramLabel = "SERVICE", description = "The service.") String service,
            @Parameters(
                            arity = "1..*",
                            paramLabel = "FACTOR",
                            description = "One for each tier, in the policy's order, at least 1.")
                    List<Integer> factors,
            @Mixin Given terms,
            @Mixin BrokerOptions kafka,
            @Mixin OutputOption output) {
        FactorOverride override = new FactorOverride(factors, terms.untilMillis(), terms.by, terms.reason);
        return changeFactors(kafka, service, Optional.of(override), output);
    }

    @Command(
            name = "clear-factors",
            description = "Clears the override of a service's factors, so the controller decides again.")
    int clearFactors(
            @Parameters(paramLabel = "SERVICE", description = "The service.") String service,
            @Mixin BrokerOptions kafka,
            @Mixin OutputOption output) {
        return changeFactors(kafka, service, Optional.empty(), output);
    }

    @Command(name = "list", description = "Prints all overrides, also those that have ended.")
    int list(@Mixin BrokerOptions kafka, @Mixin OutputOption output) {
        List<ShownOverride> all = new ArrayList<>();
        for (Policy policy : PolicyStore.readAll(kafka.connect(Topic.POLICIES)).values()) {
            for (ClassPolicy c : policy.classes()) {
                c.override()
                        .map(o -> ShownOverride.of(policy.service(), c.name(), o))
                        .ifPresent(all::add);
            }
            policy.replication()
                    .flatMap(ReplicationPolicy::override)
                    .map(o -> ShownOverride.of(policy.service(), o))
                    .ifPresent(all::add);
        }
        TextTable table = new TextTable("service", "class", "value", "until", "in force", "by", "reason");
        for (ShownOverride o : all) {
            table.row(
                    o.service(),
                    o.queryClass().orElse("(factors)"),
                    o.value().toString(),
                    o.until(),
                    o.inForce() ? "yes" : "no",
                    o.by(),
                    o.reason());
        }
        output.print(() -> all.stream().map(ShownOverride::document).toList(), table::print);
        return ExitCodes.FINE;
    }

    private int change(
            BrokerOptions kafka,
            String service,
            String queryClass,
            Optional<ManualOverride> override,
            OutputOption output) {
        Policy policy = Policies.change(
                        kafka.connect(Topic.POLICIES), service, stored -> Policies.with(stored, queryClass, override))
                .policy();
        Optional<ShownOverride> shown = override.map(o -> ShownOverride.of(service, queryClass, o));
        String sentence = service
                + "/"
                + queryClass
                + shown.map(o -> " is admitted at " + o.value() + " until " + o.until())
                        .orElse(" has no override");
        return report(policy, Optional.of(queryClass), shown, sentence, output);
    }

    private int changeFactors(
            BrokerOptions kafka, String service, Optional<FactorOverride> override, OutputOption output) {
        Policy policy = Policies.change(
                        kafka.connect(Topic.POLICIES), service, stored -> Policies.withFactors(stored, override))
                .policy();
        Optional<ShownOverride> shown = override.map(o -> ShownOverride.of(service, o));
        String sentence = service
                + shown.map(o -> " has factors " + o.value() + " until " + o.until())
                        .orElse(" has no override of factors");
        return report(policy, Optional.empty(), shown, sentence, output);
    }

    /** Prints the override that is set after a change, or that there is none. */
    private int report(
            Policy policy,
            Optional<String> queryClass,
            Optional<ShownOverride> shown,
            String sentence,
            OutputOption output) {
        output.print(
                () -> new JsonObject()
                        .with("service", policy.service())
                        .withPresent("class", queryClass)
                        .with("version", policy.version())
                        .with("override", shown.map(ShownOverride::document)),
                out -> out.println(sentence + " (policy version " + policy.version() + ")"));
        return ExitCodes.FINE;
    }

    /** Options with the duration, author and reason of an override. */
    static final class Given {
        @Option(
                names = "--for",
                required = true,
                paramLabel = "DURATION",
                description = "Duration: 45s, 30m, 2h, 1d; 'cleared': until it is cleared.")
        private String duration;

        @Option(
                names = "--by",
                paramLabel = "NAME",
                defaultValue = "${sys:user.name}",
                description = "Author. Default: your login name.")
        private String by;

        @Option(
                names = "--reason",
                required = true,
                paramLabel = "TEXT",
                description = "Reason; shown with every decision.")
        private String reason;

        /**
         * End of the override, epoch milliseconds; 0 if it holds until it is cleared.
         *
         * @throws io.kipimo.cli.terminal.InputException if the duration is invalid
         */
        long untilMillis() {
            return duration.equals(UNTIL_CLEARED)
                    ? 0
                    : Instant.now()
                            .plus(TimeSpan.parse("--for", duration, " or " + UNTIL_CLEARED))
                            .toEpochMilli();
        }
    }

    /** An override to print, either of a class or of a service's replication factors. */
    private record ShownOverride(
            String service,
            Optional<String> queryClass,
            Object value,
            long untilMillis,
            boolean inForce,
            String by,
            String reason) {
        static ShownOverride of(String service, String queryClass, ManualOverride o) {
            return new ShownOverride(
                    service,
                    Optional.of(queryClass),
                    o.fraction(),
                    o.untilMillis(),
                    o.isInForce(System.currentTimeMillis()),
                    o.by(),
                    o.reason());
        }

        static ShownOverride of(String service, FactorOverride o) {
            return new ShownOverride(
                    service,
                    Optional.empty(),
                    o.factors(),
                    o.untilMillis(),
                    o.isInForce(System.currentTimeMillis()),
                    o.by(),
                    o.reason());
        }

        String until() {
            return untilMillis == 0
                    ? UNTIL_CLEARED
                    : Instant.ofEpochMilli(untilMillis)
                            .truncatedTo(ChronoUnit.SECONDS)
                            .toString();
        }

        Map<String, Object> document() {
            return new JsonObject()
                    .with("service", service)
                    .withPresent("class", queryClass)
                    .with(queryClass.isPresent() ? "fraction" : "factors", value)
                    .with("untilMillis", untilMillis)
                    .with("inForce", inForce)
                    .with("by", by)
                    .with("reason", reason);
        }
    }
}
