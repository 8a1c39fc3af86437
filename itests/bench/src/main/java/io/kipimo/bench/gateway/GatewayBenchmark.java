package io.kipimo.bench.gateway;

import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.harness.process.FreePorts;
import io.kipimo.harness.process.ScratchDirectory;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Callers ask a server straight, and through each proxy in a process of its own, in turns: one
 * caller for what a proxy adds to a request, many for how many it passes on.
 */
public final class GatewayBenchmark implements Benchmark {
    private static final int BODY_BYTES = 1_024;
    private static final int MANY = 64;

    private record Kind(Proxy proxy, int callers) {}

    /** Rounds of one kind, together. */
    private static final class Total {
        final Histogram latencies = new Histogram(60_000_000, 3);
        final List<Double> perSecond = new ArrayList<>();
        long processorNanos;
        long failures;

        void add(Callers.Found found, long tookProcessorNanos) {
            latencies.add(found.latencies());
            perSecond.add(found.perSecond());
            processorNanos += tookProcessorNanos;
            failures += found.failures();
        }

        double medianPerSecond() {
            List<Double> sorted = perSecond.stream().sorted().toList();
            return sorted.get(sorted.size() / 2);
        }

        double processorMicros() {
            return processorNanos / 1e3 / latencies.getTotalCount();
        }
    }

    @Override
    public String name() {
        return "gateway";
    }

    @Override
    public String summary() {
        return "what the gateway adds to requests that pass through, beside HAProxy, Envoy and nginx";
    }

    @Override
    public Result run(Context context) throws Exception {
        long millis = context.choose(200L, 2_000L, 10_000L);
        Map<Proxy, Proxy.Running> running = new EnumMap<>(Proxy.class);
        List<String> missing = new ArrayList<>();
        Vertx servers = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        Vertx callers = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        try (ScratchDirectory scratch = ScratchDirectory.create("bench-gateway")) {
            Buffer body = Buffer.buffer(new byte[BODY_BYTES]);
            HttpServer server =
                    servers.createHttpServer()
                            .requestHandler(request -> request.response().end(body))
                            .listen(0, "127.0.0.1")
                            .toCompletionStage()
                            .toCompletableFuture()
                            .join();
            for (Proxy proxy : Proxy.values()) {
                if (proxy.isInstalled()) {
                    running.put(
                            proxy,
                            proxy.start(FreePorts.one(), server.actualPort(), scratch.path()));
                } else {
                    missing.add(proxy.title() + " is not installed here: SKIPPED.");
                    context.say("%s", missing.get(missing.size() - 1));
                }
            }
            return measure(context, millis, running, missing, callers);
        } finally {
            for (Proxy.Running one : running.values()) {
                one.close();
            }
            callers.close();
            servers.close();
        }
    }

    private static Result measure(
            Context context,
            long millis,
            Map<Proxy, Proxy.Running> running,
            List<String> missing,
            Vertx vertx)
            throws InterruptedException {
        Map<Kind, Total> totals = new LinkedHashMap<>();
        for (int round = -1; round < context.repetitions(); round++) {
            for (int callers : new int[] {1, MANY}) {
                for (Map.Entry<Proxy, Proxy.Running> one : running.entrySet()) {
                    Proxy.Running proxy = one.getValue();
                    Duration before = proxy.processorTime();
                    Callers.Found found = new Callers(vertx, proxy.port(), callers).run(millis);
                    // The first round warms up.
                    if (round >= 0) {
                        totals.computeIfAbsent(new Kind(one.getKey(), callers), k -> new Total())
                                .add(found, proxy.processorTime().minus(before).toNanos());
                    }
                }
            }
            context.say(
                    round < 0 ? "warm" : "round " + (round + 1) + " of " + context.repetitions());
        }
        List<String> notes = new ArrayList<>(missing);
        notes.add(
                "GET of "
                        + BODY_BYTES
                        + " bytes over kept connections; callers, server and proxies share this"
                        + " machine, so what a proxy computes the others wait for.");
        return new Result(
                List.of(
                        table("one caller", 1, running.keySet(), totals),
                        table(MANY + " callers", MANY, running.keySet(), totals)),
                notes);
    }

    private static Table table(
            String title, int callers, Iterable<Proxy> proxies, Map<Kind, Total> totals) {
        Table table =
                Table.of(
                        title,
                        "proxy",
                        "p50 us",
                        "p99 us",
                        "p50 added us",
                        "p99 added us",
                        "requests/s",
                        "its processor us/request",
                        "failures");
        Histogram straight = totals.get(new Kind(Proxy.NONE, callers)).latencies;
        for (Proxy proxy : proxies) {
            Total total = totals.get(new Kind(proxy, callers));
            boolean isProxy = proxy != Proxy.NONE;
            long median = total.latencies.getValueAtPercentile(50);
            long late = total.latencies.getValueAtPercentile(99);
            table.row(
                    proxy.title(),
                    median,
                    late,
                    isProxy ? median - straight.getValueAtPercentile(50) : null,
                    isProxy ? late - straight.getValueAtPercentile(99) : null,
                    total.medianPerSecond(),
                    isProxy ? total.processorMicros() : null,
                    total.failures);
        }
        return table;
    }
}
