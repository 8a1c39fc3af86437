package io.kipimo.cli.gateway;

import io.kipimo.cli.kafka.BrokerOptions;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.HostPort;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.gateway.config.SpanRules;
import io.kipimo.gateway.config.SpanRulesFile;
import io.kipimo.gateway.control.Control;
import io.kipimo.gateway.control.KipimoControl;
import io.kipimo.gateway.otlp.OtlpPage;
import io.kipimo.gateway.otlp.OtlpReceiver;
import io.kipimo.http.PageServer;
import io.kipimo.schemas.document.InvalidDocumentException;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.LongUnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kipimo otlp}. */
@Command(
        name = "otlp",
        description = {
            "Measures a service by its OpenTelemetry spans: receives traces by OTLP/HTTP (protobuf or"
                    + " JSON) at /v1/traces, and emits answers, results and counts of their queries."
                    + " Runs until it is stopped.",
            "",
            "docs/otlp.md explains every key of the rules."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  kipimo otlp --example > rules.yaml   a file to start from",
            "  kipimo otlp --rules rules.yaml --check",
            "  kipimo otlp --bootstrap-servers kafka:9092 --rules rules.yaml --listen :4318"
        })
public final class OtlpCommand implements Callable<Integer> {
    @Mixin
    private BrokerOptions kafka;

    @Mixin
    private OutputOption output;

    @Spec
    private CommandSpec spec;

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
            description = "Address of /healthz and /metrics; port 0 is any free port. Default:" + " ${DEFAULT-VALUE}")
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
        PrintWriter out = spec.commandLine().getOut();
        if (example) {
            out.print(example());
            out.flush();
            return ExitCodes.FINE;
        }
        SpanRules rules = rules();
        if (check) {
            out.println("the rules are fine");
            out.flush();
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
            printServing(
                    "http://" + new Address(traces.host(), receiver.port()) + "/v1/traces",
                    "http://" + new Address(page.host(), metrics.port()) + "/metrics");
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
        if (rulesFile == null) {
            return SpanRulesFile.read("");
        }
        try {
            return SpanRulesFile.read(InputFile.text(rulesFile.toString()));
        } catch (InvalidDocumentException e) {
            throw new InputException(e.getMessage()
                    .lines()
                    .map(problem -> rulesFile + ": " + problem)
                    .toList());
        }
    }

    private static String example() throws IOException {
        try (InputStream in = OtlpCommand.class.getResourceAsStream("rules.yaml")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void printServing(String traces, String metrics) {
        JsonObject figures = new JsonObject().with("traces", traces).with("metrics", metrics);
        PrintWriter out = spec.commandLine().getOut();
        if (output.isDocument()) {
            output.print(out, figures);
        } else {
            figures.forEach((what, where) -> out.println(what + " at " + where));
        }
        out.flush();
    }
}
