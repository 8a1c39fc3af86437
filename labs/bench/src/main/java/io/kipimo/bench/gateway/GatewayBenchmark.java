package io.kipimo.bench.gateway;

import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.SubjectComparison;
import io.kipimo.bench.report.Table;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.process.ScratchDirectory;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Sends requests to a server directly and through each proxy, in turns. Each proxy is a process of its own. One caller
 * measures the latency that a proxy adds. Many callers measure the proxy's throughput.
 */
public final class GatewayBenchmark implements Benchmark {
    private static final int BODY_BYTES = 1_024;
    private static final int MANY = 64;

    private record ProxyKind(Proxy proxy, int callers) {}

    /** One measured round of a proxy with one number of callers. */
    private record GatewayRound(Callers.CallerResults found, long processorNanos) {}

    @Override
    public Result run(Context context) throws Exception {
        long millis = context.choose(200L, 2_000L, 10_000L);
        Map<Proxy, Proxy.Running> running = new EnumMap<>(Proxy.class);
        List<String> missing = new ArrayList<>();
        Vertx servers = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        Vertx callers = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        try (ScratchDirectory scratch = ScratchDirectory.create("bench-gateway")) {
            Buffer body = Buffer.buffer(new byte[BODY_BYTES]);
            HttpServer server = servers.createHttpServer()
                    .requestHandler(request -> request.response().end(body))
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            for (Proxy proxy : Proxy.values()) {
                if (proxy.isInstalled()) {
                    running.put(proxy, proxy.start(FreePorts.one(), server.actualPort(), scratch.path()));
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
            Context context, long millis, Map<Proxy, Proxy.Running> running, List<String> missing, Vertx vertx)
            throws Exception {
        SubjectComparison<ProxyKind, GatewayRound> comparison = new SubjectComparison<>(context);
        for (int callers : new int[] {1, MANY}) {
            running.forEach((proxy, process) -> comparison.add(
                    new ProxyKind(proxy, callers),
                    round -> round(process, new Callers(vertx, process.port(), callers), millis)));
        }
        Map<ProxyKind, Repetitions<GatewayRound>> rounds = comparison.run();
        List<String> notes = new ArrayList<>(missing);
        notes.add("GET of "
                + BODY_BYTES
                + " bytes over persistent connections; callers, server and proxies share"
                + " this machine, so a proxy's processor time delays the others.");
        return new Result(
                List.of(
                        table("one caller", 1, running.keySet(), rounds),
                        table(MANY + " callers", MANY, running.keySet(), rounds)),
                notes);
    }

    private static GatewayRound round(Proxy.Running proxy, Callers callers, long millis) throws InterruptedException {
        Duration before = proxy.processorTime();
        Callers.CallerResults found = callers.run(millis);
        return new GatewayRound(found, proxy.processorTime().minus(before).toNanos());
    }

    private static Histogram latencies(Repetitions<GatewayRound> rounds) {
        Histogram sum = new Histogram(60_000_000, 3);
        rounds.all().forEach(round -> sum.add(round.found.latencies()));
        return sum;
    }

    private static Table table(
            String title, int callers, Iterable<Proxy> proxies, Map<ProxyKind, Repetitions<GatewayRound>> rounds) {
        Table table = new Table(title);
        Histogram straight = latencies(rounds.get(new ProxyKind(Proxy.NONE, callers)));
        for (Proxy proxy : proxies) {
            Repetitions<GatewayRound> total = rounds.get(new ProxyKind(proxy, callers));
            Histogram latencies = latencies(total);
            boolean isProxy = proxy != Proxy.NONE;
            long median = latencies.getValueAtPercentile(50);
            long late = latencies.getValueAtPercentile(99);
            table.row()
                    .cell("proxy", proxy.title())
                    .cell("p50 us", median)
                    .cell("p99 us", late)
                    .cell("p50 added us", isProxy ? median - straight.getValueAtPercentile(50) : null)
                    .cell("p99 added us", isProxy ? late - straight.getValueAtPercentile(99) : null)
                    .cell("requests/s", total.median(round -> round.found.perSecond()))
                    .cell(
                            "its processor us/request",
                            isProxy ? total.sum(GatewayRound::processorNanos) / 1e3 / latencies.getTotalCount() : null)
                    .cell("failures", (long) total.sum(round -> round.found.failures()));
        }
        return table;
    }
}
