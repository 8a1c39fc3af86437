package io.kipimo.bench.hedging;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.SubjectComparison;
import io.kipimo.bench.report.Table;
import io.kipimo.embedded.process.ScratchDirectory;
import io.kipimo.gateway.Gateway;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.sdk.internal.control.Control;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Compares two ways to send copies of late requests: the gateway and {@code hedge-python} (PyPI). Both have the same
 * client, requests, arrivals and stragglers, and may copy 5 % of the requests. In calm one answer in thirty is slow; in
 * the brown-out all are.
 */
public final class HedgingBenchmark implements Benchmark {
    private static final double PER_SECOND = 100;

    private enum HedgingWay {
        ALONE("no copies", "plain"),
        PEER("hedge-python", "hedge-python"),
        GATEWAY("gateway", "plain");

        private final String title;
        private final String client;

        HedgingWay(String title, String client) {
            this.title = title;
            this.client = client;
        }
    }

    private record HedgingKind(HedgingWay way, boolean isBrownOut) {}

    /**
     * One round.
     *
     * @param millis latencies
     * @param work number of requests that reached the servers, for each request of the client
     */
    private record HedgingRound(double[] millis, double work) {}

    @Override
    public Result run(Context context) throws Exception {
        int requests = context.choose(300, 3_000, 10_000);
        Optional<String> python = python();
        List<String> notes = new ArrayList<>();
        notes.add("One answer in "
                + Stragglers.ONE_IN
                + " takes "
                + Stragglers.SLOW_MILLIS
                + " ms, the others 5 to 15 ms; "
                + PER_SECOND
                + " requests a second; work: requests at the servers, copies included.");
        if (python.isEmpty()) {
            notes.add("SKIPPED: no python3 with hedge-python and httpx (pip install"
                    + " 'hedge-python[httpx]'; KIPIMO_PYTHON names another python).");
            context.say("%s", notes.get(1));
            return new Result(List.of(), notes);
        }
        try (Stragglers servers = new Stragglers();
                ScratchDirectory scratch = ScratchDirectory.create("kipimo-hedging");
                Gateway gateway = gateway(servers)) {
            Path script = scratch.path().resolve("calls.py");
            try (InputStream calls = getClass().getResourceAsStream("calls.py")) {
                Files.copy(calls, script);
            }
            SubjectComparison<HedgingKind, HedgingRound> comparison = new SubjectComparison<>(context);
            for (boolean isBrownOut : new boolean[] {false, true}) {
                for (HedgingWay way : HedgingWay.values()) {
                    int port = way == HedgingWay.GATEWAY
                            ? gateway.ports().get("front")
                            : servers.ports().get(0);
                    comparison.add(new HedgingKind(way, isBrownOut), round -> {
                        servers.begin(isBrownOut);
                        double[] millis = calls(python.get(), script, way, port, requests);
                        return new HedgingRound(millis, (double) servers.asked() / requests);
                    });
                }
            }
            Map<HedgingKind, Repetitions<HedgingRound>> rounds = comparison.run();
            return new Result(
                    List.of(
                            table("calm: one answer in " + Stragglers.ONE_IN + " is slow", false, rounds),
                            table("brown-out: every answer is slow", true, rounds)),
                    notes);
        }
    }

    private static Table table(String title, boolean isBrownOut, Map<HedgingKind, Repetitions<HedgingRound>> rounds) {
        Table table = new Table(title);
        double alone = 0;
        for (HedgingWay way : HedgingWay.values()) {
            List<HedgingRound> all =
                    rounds.get(new HedgingKind(way, isBrownOut)).all();
            double[] millis = all.stream()
                    // The first fifth learns.
                    .flatMapToDouble(r -> Arrays.stream(r.millis).skip(r.millis.length / 5))
                    .sorted()
                    .toArray();
            double p99 = millis[millis.length * 99 / 100];
            alone = way == HedgingWay.ALONE ? p99 : alone;
            table.row()
                    .cell("way", way.title)
                    .cell("p50 ms", millis[millis.length / 2])
                    .cell("p95 ms", millis[millis.length * 95 / 100])
                    .cell("p99 ms", p99)
                    .cell("p99 of alone", p99 / alone)
                    .cell("work", all.stream().collect(Collectors.averagingDouble(HedgingRound::work)));
        }
        return table;
    }

    /** Makes a gateway that sends a copy of late requests and does not need Kafka. */
    private static Gateway gateway(Stragglers servers) throws Exception {
        String config = """
                service: hedging
                admin: 127.0.0.1:0
                threads: 1
                listeners:
                  - name: front
                    listen: 127.0.0.1:0
                    servers: [%s]
                    limit: {enabled: false}
                    arbitration: {hedge-after: 1s}
                """.formatted(
                servers.ports().stream().map(port -> "'127.0.0.1:" + port + "'").collect(Collectors.joining(", ")));
        return Gateway.start(ConfigFile.read(config, null, "gw"), new TwoCopies());
    }

    /** Lets every request have one copy: two requests in all. */
    private static final class TwoCopies implements Control {
        @Override
        public boolean admits(String queryClass, String queryId, double cost) {
            return true;
        }

        @Override
        public double fraction(String queryClass) {
            return 1;
        }

        @Override
        public int factor(String tier) {
            return 2;
        }
    }

    private static Optional<String> python() throws InterruptedException {
        String python = System.getenv().getOrDefault("KIPIMO_PYTHON", "python3");
        try {
            int exit = new ProcessBuilder(python, "-c", "import hedge, httpx")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            return exit == 0 ? Optional.of(python) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static double[] calls(String python, Path script, HedgingWay way, int port, int requests)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        python,
                        script.toString(),
                        way.client,
                        "http://127.0.0.1:" + port + "/",
                        Integer.toString(requests),
                        Double.toString(PER_SECOND))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(way.title + ": the client failed");
        }
        return new ObjectMapper().readValue(printed, double[].class);
    }
}
