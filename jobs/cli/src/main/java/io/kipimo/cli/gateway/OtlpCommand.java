package io.kipimo.cli.gateway;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.HostPort;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.http.PageServer;
import io.kipimo.kafka.SourceSettings;
import io.kipimo.otlp.OtlpPage;
import io.kipimo.otlp.OtlpReceiver;
import io.kipimo.otlp.SpanRules;
import io.kipimo.otlp.SpanRulesFile;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.internal.control.Control;
import io.kipimo.sdk.internal.control.KipimoControl;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo otlp}: measures a service by its OpenTelemetry spans. */
@Command(
        name = "otlp",
        description = {
            "Measures a service by its OpenTelemetry spans: receives traces by OTLP/HTTP (protobuf or JSON) at "
                    + "/v1/traces, and emits answers, results and counts of their queries. Runs until it is stopped.",
            "",
            "docs/otlp.md explains every key of the rules."
        },
        footer = {
            "  kipimo otlp --example > rules.yaml   a file to start from",
            "  kipimo otlp --rules rules.yaml --check",
            "  kipimo otlp --bootstrap-servers kafka:9092 --rules rules.yaml --listen :4318"
        })
public final class OtlpCommand extends KafkaCommand {
    /** Prefix of a receiver's name among the names of front ends. */
    private static final String SERVER = "otlp-";

    private static final long RECENT_MILLIS = 60_000;

    @Option(
            names = "--listen",
            defaultValue = "127.0.0.1:4318",
            paramLabel = "[HOST]:PORT",
            description = "Address for exporters, without TLS; no host: all addresses; port 0 is any free"
                    + " port. Default: ${DEFAULT-VALUE}")
    private String listen;

    @Option(
            names = "--admin",
            defaultValue = "127.0.0.1:9906",
            paramLabel = "HOST:PORT",
            description = "Address of /healthz and /metrics; port 0 is any free port. Default: ${DEFAULT-VALUE}")
    private String admin;

    @Option(
            names = "--rules",
            paramLabel = "FILE",
            description = "Which spans are answers and components, YAML. Default: server spans are answers,"
                    + " client spans are components.")
    private Path rulesFile;

    @Option(names = "--example", description = "Print rules with every key, and end.")
    private boolean example;

    @Option(names = "--check", description = "Only read the rules: exit 0, or 2 with every problem.")
    private boolean check;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (example) {
            output.printResource(OtlpCommand.class, "rules.yaml");
            return ExitCodes.FINE;
        }
        SpanRules rules = rules();
        if (check) {
            output.out().println("the rules are fine");
            return ExitCodes.FINE;
        }
        Address traces = HostPort.parse("--listen", listen.startsWith(":") ? "0.0.0.0" + listen : listen);
        Address page = HostPort.parse("--admin", admin);
        KafkaSettings settings = kafka.named();
        Thread lateness = new Thread(() -> warnOfLateness(settings, rules), "otlp-lateness");
        lateness.setDaemon(true);
        lateness.start();
        try (UntilStopped stop = new UntilStopped("otlp");
                OtlpReceiver receiver = OtlpReceiver.start(
                        traces,
                        rules,
                        (service, emittedUpTo) -> control(service, rules, settings, emittedUpTo),
                        System::currentTimeMillis);
                PageServer metrics = OtlpPage.start(page, receiver)) {
            output.print(
                    new JsonObject()
                            .with("traces", "http://" + new Address(traces.host(), receiver.port()) + "/v1/traces")
                            .with("metrics", "http://" + new Address(page.host(), metrics.port()) + "/metrics"),
                    " at ");
            stop.await();
        } catch (IOException e) {
            throw new InputException("cannot listen: " + e.getMessage());
        }
        return ExitCodes.FINE;
    }

    /**
     * Warns the user if answers will be late. The receiver also starts without Kafka, and then it is not known whether
     * they will be.
     */
    private void warnOfLateness(KafkaSettings settings, SpanRules rules) {
        try {
            if (!TopicAdmin.missing(settings).isEmpty()) {
                return;
            }
            Set<String> others = new TreeSet<>();
            long sinceMillis = System.currentTimeMillis() - RECENT_MILLIS;
            TopicReader.read(settings, Topic.OBSERVATIONS, sinceMillis, Codecs.OBSERVATION, o -> {
                if (!o.server().startsWith(SERVER)) {
                    others.add(o.service() + '/' + o.server());
                }
            });
            lateness(rules.holdMillis(), PolicyStore.readAll(settings).values(), others)
                    .ifPresent(warning -> output.err().println("kipimo: " + warning));
        } catch (BrokerUnavailableException | KafkaException e) {
            output.err().println("kipimo: whether answers will be late is not known: " + e.getMessage());
        }
    }

    /**
     * Returns a warning if answers from spans come after their windows, because other front ends advance event time.
     *
     * @param policies policies of all services, because the names of the measured services are not known before their
     *     spans
     * @param others front ends that emit at once
     */
    static Optional<String> lateness(long holdMillis, Collection<Policy> policies, Set<String> others) {
        long heldMillis = holdMillis + OtlpReceiver.BATCH_MILLIS;
        List<String> tooShort = policies.stream()
                .filter(p ->
                        p.expirationWindowMillis() + SourceSettings.DEFAULT_OUT_OF_ORDERNESS.toMillis() <= heldMillis)
                .map(p -> p.service() + " (" + p.expirationWindowMillis() + " ms)")
                .sorted()
                .toList();
        return others.isEmpty() || tooShort.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        ("answers of spans come about %s ms after their queries, and %s counts at once: those of a "
                                        + "service with a shorter expiration window come late and are not "
                                        + "measured: %s; lower hold, "
                                        + "or raise expiration_window (docs/otlp.md, What is late)")
                                .formatted(heldMillis, others.iterator().next(), String.join(", ", tooShort)));
    }

    private static Control control(
            String service, SpanRules rules, KafkaSettings kafka, LongUnaryOperator emittedUpTo) {
        KipimoConfig.Builder config = KipimoConfig.builder(
                        service, SERVER + ProcessHandle.current().pid(), kafka)
                .initialSamplingRate(rules.samplingRate())
                .profilingShare(rules.profilingShare());
        rules.classes().forEach(config::queryClass);
        return KipimoControl.connect(config.build(), emittedUpTo);
    }

    private SpanRules rules() {
        return rulesFile == null
                ? SpanRulesFile.read("")
                : InputFile.document(rulesFile.toString(), SpanRulesFile::read);
    }
}
