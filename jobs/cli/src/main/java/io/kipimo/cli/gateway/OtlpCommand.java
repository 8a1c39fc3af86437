package io.kipimo.cli.gateway;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.HostPort;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.gateway.config.SpanRules;
import io.kipimo.gateway.config.SpanRulesFile;
import io.kipimo.gateway.control.Control;
import io.kipimo.gateway.control.KipimoControl;
import io.kipimo.gateway.otlp.OtlpPage;
import io.kipimo.gateway.otlp.OtlpReceiver;
import io.kipimo.http.PageServer;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongUnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo otlp}. */
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

    private static Control control(
            String service, SpanRules rules, KafkaSettings kafka, LongUnaryOperator emittedUpTo) {
        KipimoConfig.Builder config = KipimoConfig.builder(
                        service, "otlp-" + ProcessHandle.current().pid(), kafka)
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
