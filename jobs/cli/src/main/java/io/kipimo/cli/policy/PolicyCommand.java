package io.kipimo.cli.policy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.cli.kafka.BrokerOptions;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.core.guard.PolicyCheck;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kipimo policy}: reads and changes the policies of services. */
@Command(
        name = "policy",
        description = "The policy of a service: metrics, merge function, classes and their objectives, "
                + "admission, sampling, replication, fan-out.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "  kipimo policy example > search.yaml",
            "  kipimo policy set search.yaml --bootstrap-servers localhost:9092",
            "  kipimo policy diff search.yaml",
            "  kipimo policy set --dry-run search.yaml",
            "  kipimo policy show search",
            "  kipimo policy kill search"
        })
public final class PolicyCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "policy needs one of show, diff, set, example, kill, unkill");
    }

    @Command(
            name = "show",
            description = {
                "Prints the stored policies, as YAML for 'policy set'.",
                "Exits with 1 if the service has none."
            })
    int show(
            @Parameters(arity = "0..1", paramLabel = "SERVICE", description = "The service. Default: all.")
                    String service,
            @Mixin BrokerOptions kafka,
            @Mixin OutputOption output) {
        Map<String, Policy> policies = new TreeMap<>(PolicyStore.readAll(kafka.connect(Topic.POLICIES)));
        if (service != null) {
            policies.keySet().retainAll(Set.of(service));
            if (policies.isEmpty()) {
                output.err().println("kipimo: no policy of service '" + service + "'");
                return ExitCodes.NO;
            }
        }
        PrintWriter out = output.out();
        if (output.isJson()) {
            ObjectNode document = JsonNodeFactory.instance.objectNode();
            policies.forEach((name, p) -> document.set(name, MessageTree.write(Codecs.POLICY.toMessage(p))));
            output.print(out, service == null ? document : document.get(service));
        } else {
            String separator = "";
            for (Policy policy : policies.values()) {
                out.print(separator + PolicyDocument.yaml(policy));
                separator = "---\n";
            }
        }
        return ExitCodes.FINE;
    }

    @Command(
            name = "set",
            description = {
                "Sets a document (YAML or JSON) as its service's policy if all of it is valid; "
                        + "otherwise reports all problems together.",
                "",
                "The version is the stored one's plus 1. Overrides and the kill switch stay unless "
                        + "the document names them. A document without a change is not stored."
            })
    int set(
            @Parameters(paramLabel = "FILE", description = "The document; - is standard input.") String file,
            @Option(names = "--dry-run", description = "Only check the document and print what would change.")
                    boolean dryRun,
            @Mixin BrokerOptions kafka,
            @Mixin OutputOption output) {
        PolicyDocument document = PolicyDocument.read(file);
        KafkaSettings settings = kafka.connect(Topic.POLICIES);
        if (dryRun) {
            printDifferences(document, settings, output);
            return ExitCodes.FINE;
        }
        AtomicLong before = new AtomicLong();
        Policy now = PolicyStore.change(settings, document.policy().service(), stored -> {
            before.set(stored.map(Policy::version).orElse(0L));
            return stored.map(document::after).orElse(document.policy());
        });
        return report(now, now.version() != before.get(), output);
    }

    @Command(
            name = "diff",
            description = {
                "Prints the fields that 'policy set' would change: ~ changed, + added, - removed. "
                        + "Entries of lists are named by their name.",
                "",
                "Exits with 0 if there is no difference, 1 if there is one."
            })
    int diff(
            @Parameters(paramLabel = "FILE", description = "The document; - is standard input.") String file,
            @Mixin BrokerOptions kafka,
            @Mixin OutputOption output) {
        PolicyDocument document = PolicyDocument.read(file);
        return printDifferences(document, kafka.connect(Topic.POLICIES), output) ? ExitCodes.NO : ExitCodes.FINE;
    }

    /** Prints the fields that the document would change, and returns whether there are any. */
    private boolean printDifferences(PolicyDocument document, KafkaSettings settings, OutputOption output) {
        String service = document.policy().service();
        Optional<Policy> stored =
                Optional.ofNullable(PolicyStore.readAll(settings).get(service));
        List<PolicyDifference> differences =
                PolicyDifference.between(stored, stored.map(document::after).orElse(document.policy()));
        output.print(
                () -> new JsonObject()
                        .with("service", service)
                        .with("storedVersion", stored.map(Policy::version))
                        .with("differences", differences)
                        .with("warnings", PolicyCheck.warnings(document.policy())),
                out -> {
                    out.println("policy of "
                            + service
                            + stored.map(p -> ", stored version " + p.version()).orElse(", not stored yet")
                            + (differences.isEmpty() ? ": no difference" : ":"));
                    differences.forEach(d -> out.println("  " + d.line()));
                    PolicyCheck.warnings(document.policy()).forEach(w -> out.println("warning: " + w));
                });
        return !differences.isEmpty();
    }

    @Command(
            name = "example",
            description = "Prints a policy with comments, to start from; everything but service, "
                    + "metrics and classes has its default.")
    int example(@Mixin OutputOption output) {
        String yaml = OutputOption.resource(PolicyCommand.class, "example.yaml");
        if (output.isJson()) {
            output.print(
                    output.out(),
                    MessageTree.write(Codecs.POLICY.toMessage(
                            PolicyDocument.parse("example", yaml).policy())));
        } else {
            output.out().print(yaml);
        }
        return ExitCodes.FINE;
    }

    @Command(
            name = "kill",
            description = "Kill switch: control of the service stops. Every class gets its safe "
                    + "fraction, and no copies are sent.")
    int kill(
            @Parameters(paramLabel = "SERVICE", description = "The service.") String service,
            @Mixin BrokerOptions kafka,
            @Mixin OutputOption output) {
        return killSwitch(service, true, kafka, output);
    }

    @Command(name = "unkill", description = "Ends the kill switch; controllers decide again.")
    int unkill(
            @Parameters(paramLabel = "SERVICE", description = "The service.") String service,
            @Mixin BrokerOptions kafka,
            @Mixin OutputOption output) {
        return killSwitch(service, false, kafka, output);
    }

    private int killSwitch(String service, boolean on, BrokerOptions kafka, OutputOption output) {
        Policies.PolicyChange change =
                Policies.change(kafka.connect(Topic.POLICIES), service, p -> p.withKillSwitch(on));
        return report(change.policy(), change.changed(), output);
    }

    private int report(Policy policy, boolean changed, OutputOption output) {
        output.print(
                () -> new JsonObject()
                        .with(policy, "service", "version", "killSwitch")
                        .with("changed", changed)
                        .with("warnings", PolicyCheck.warnings(policy)),
                out -> {
                    out.println("policy of %s is %s version %s%s"
                            .formatted(
                                    policy.service(),
                                    changed ? "now" : "unchanged,",
                                    policy.version(),
                                    policy.killSwitch() ? ", kill switch on" : ""));
                    PolicyCheck.warnings(policy).forEach(w -> out.println("warning: " + w));
                });
        return ExitCodes.FINE;
    }
}
