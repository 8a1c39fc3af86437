package io.kipimo.cli.doctor;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.run.FlinkRest;
import io.kipimo.cli.terminal.Contexts;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.PrintWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo doctor}: checks whether a running system has everything that measuring and control need. */
@Command(
        name = "doctor",
        description = {
            "Checks a running system: brokers, topics, policies, which services emit and which "
                    + "should, clocks, jobs, the measurable share, decisions, adapters, dead "
                    + "letters, versions. Each problem comes with what to do. It changes nothing.",
            "",
            "Exits with 0 if nothing is wrong, 1 if something is."
        },
        footer = {
            "  kipimo doctor --bootstrap-servers localhost:9092",
            "  kipimo doctor --rest http://flink:8081 --adapter http://gateway:9901/metrics --json"
        })
public final class DoctorCommand extends KafkaCommand {
    @Option(
            names = "--rest",
            paramLabel = "URL",
            description = "REST address of Flink's JobManager. Default: the context's.")
    private URI rest;

    @Option(
            names = "--adapter",
            paramLabel = "URL",
            description = "Metrics of a gateway, adapter or filter server: http://gateway:9901/metrics; repeatable.")
    private List<URI> adapters = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        adapters.forEach(url -> checkHttp("--adapter", url));
        Optional<URI> flink =
                Optional.ofNullable(rest).or(() -> Contexts.value(spec, "rest").map(URI::create));
        flink.ifPresent(url -> checkHttp("--rest", url));
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("kipimo", spec.root().version()[0].replace("kipimo ", ""));
        versions.put("java", System.getProperty("java.version"));
        if (flink.isPresent()) {
            versions.put("flink", flinkVersion(flink.get()));
        }
        List<Finding> findings = findings(kafka.named(), flink);
        boolean isWell = findings.stream().noneMatch(f -> f.level() == Finding.Level.WRONG);
        output.print(
                () -> new JsonObject()
                        .with("healthy", isWell)
                        .with("versions", versions)
                        .with("findings", findings),
                out -> print(out, findings, versions));
        return isWell ? ExitCodes.FINE : ExitCodes.NO;
    }

    private static String flinkVersion(URI flink) throws InterruptedException {
        try {
            return FlinkRest.at(flink).version();
        } catch (InputException e) {
            return "unknown";
        }
    }

    private List<Finding> findings(KafkaSettings settings, Optional<URI> flink) throws InterruptedException {
        try {
            KafkaSettings connected = kafka.connect();
            return Checkup.of(new RunningSystem(connected, System.currentTimeMillis()).facts(flink, adapters));
        } catch (BrokerUnavailableException e) {
            List<Finding> findings = new ArrayList<>();
            findings.add(Finding.wrong(
                    "brokers",
                    e.getMessage(),
                    "is " + settings.bootstrapServers() + " right, and reachable from here?"));
            findings.addAll(
                    Checkup.withoutKafka(RunningSystem.outside(flink, adapters).build()));
            return findings;
        }
    }

    private static void print(PrintWriter out, List<Finding> findings, Map<String, String> versions) {
        for (Finding finding : findings) {
            out.println(
                    String.format(Locale.ROOT, "%-6s %-13s %s", finding.level(), finding.subject(), finding.text()));
            if (!finding.advice().isEmpty()) {
                out.println(" ".repeat(21) + "-> " + finding.advice());
            }
        }
        StringBuilder line = new StringBuilder();
        versions.forEach((what, version) ->
                line.append(line.isEmpty() ? "" : ", ").append(what).append(' ').append(version));
        out.println(String.format(Locale.ROOT, "%-6s %-13s %s", "OK", "versions", line));
    }

    private static void checkHttp(String option, URI url) {
        boolean fits = url.getHost() != null && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()));
        InputException.throwIf(!fits, option + " is '" + url + "'; allowed: an http or https address");
    }
}
