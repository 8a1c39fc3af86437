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
        long failures;

        void add(Callers.Found found) {
            latencies.add(found.latencies());
            perSecond.add(found.perSecond());
            failures += found.failures();
        }

        double medianPerSecond() {
            List<Double> sorted = perSecond.stream().sorted().toList();
            return sorted.get(sorted.size() / 2);
        }
    }

    @Override
    public String name() {
        return "gateway";
    }

    @Override
    public String summary() {
        return "what the gateway adds to requests that pass through, beside HAProxy and nginx";
    }

    @Override
    public Result run(Context context) throws Exception {
        long millis = context.choose(200L, 2_000L, 10_000L);
        List<Proxy> proxies = List.of(Proxy.values()).stream().filter(Proxy::isInstalled).toList();
        Map<Proxy, Integer> ports = new EnumMap<>(Proxy.class);
        List<AutoCloseable> running = new ArrayList<>();
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
            for (Proxy proxy : proxies) {
                int[] free = FreePorts.distinct(2);
                ports.put(proxy, proxy == Proxy.NONE ? server.actualPort() : free[0]);
                running.add(proxy.start(free[0], server.actualPort(), free[1], scratch.path()));
            }
            return measure(context, millis, proxies, ports, callers);
        } finally {
            for (AutoCloseable one : running) {
                one.close();
            }
            callers.close();
            servers.close();
        }
    }

    private static Result measure(
            Context context,
            long millis,
            List<Proxy> proxies,
            Map<Proxy, Integer> ports,
            Vertx vertx)
            throws InterruptedException {
        Map<Kind, Total> totals = new LinkedHashMap<>();
        for (int round = -1; round < context.repetitions(); round++) {
            for (int callers : new int[] {1, MANY}) {
                for (Proxy proxy : proxies) {
                    Callers.Found found = new Callers(vertx, ports.get(proxy), callers).run(millis);
                    // The first round warms up.
                    if (round >= 0) {
                        totals.computeIfAbsent(new Kind(proxy, callers), k -> new Total())
                                .add(found);
                    }
                }
            }
            context.say(
                    round < 0 ? "warm" : "round " + (round + 1) + " of " + context.repetitions());
        }
        Table one =
                Table.of("one caller", "proxy", "p50 us", "p99 us", "p50 added us", "requests/s");
        Table many =
                Table.of(MANY + " callers", "proxy", "p50 us", "p99 us", "requests/s", "failures");
        long straight = totals.get(new Kind(Proxy.NONE, 1)).latencies.getValueAtPercentile(50);
        for (Proxy proxy : proxies) {
            Total alone = totals.get(new Kind(proxy, 1));
            long median = alone.latencies.getValueAtPercentile(50);
            one.row(
                    proxy.title(),
                    median,
                    alone.latencies.getValueAtPercentile(99),
                    proxy == Proxy.NONE ? null : median - straight,
                    alone.medianPerSecond());
            Total crowd = totals.get(new Kind(proxy, MANY));
            many.row(
                    proxy.title(),
                    crowd.latencies.getValueAtPercentile(50),
                    crowd.latencies.getValueAtPercentile(99),
                    crowd.medianPerSecond(),
                    crowd.failures);
        }
        List<String> notes = new ArrayList<>();
        notes.add(
                "GET of "
                        + BODY_BYTES
                        + " bytes over kept connections; callers, server and proxies share this"
                        + " machine, so what a proxy computes the others wait for.");
        for (Proxy proxy : Proxy.values()) {
            if (!proxy.isInstalled()) {
                notes.add(proxy.title() + " is not installed here: not measured.");
            }
        }
        return new Result(List.of(one, many), notes);
    }
}
