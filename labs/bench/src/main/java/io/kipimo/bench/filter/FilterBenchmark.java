package io.kipimo.bench.filter;

import io.kipimo.bench.filter.peer.PeerFilterSubject;
import io.kipimo.bench.filter.workload.FilterWorkload;
import io.kipimo.bench.machine.SubjectProcess;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.SubjectComparison;
import io.kipimo.bench.report.Table;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.embedded.redis.EmbeddedRedis;
import io.kipimo.simulator.report.Phrase;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.RedisClient;

/**
 * Measures operations on stale keys: in memory with one thread, and on one Redis with four. The peer is the library
 * com.baqend:bloom-filter. Each side runs in a JVM of its own, is warmed up, and takes turns with the others.
 */
public final class FilterBenchmark implements Benchmark {
    private static final int WRITERS = 4;
    private static final int BATCH = 100;

    /** One implementation with one place for its keys: memory or Redis. */
    private record Contender(String name, SubjectProcess process, long operations, Map<String, String> settings) {
        boolean isInMemory() {
            return settings.get(FilterWorkload.HOME).equals(FilterWorkload.MEMORY);
        }
    }

    /**
     * One repetition.
     *
     * @param sentBytes bytes on the wire for one operation
     */
    private record MeasuredRun(SubjectRun run, double sentBytes) {}

    @Override
    public Result run(Context context) throws Exception {
        long inMemory = context.choose(2_000, 1_000_000, 4_000_000);
        long inRedis = context.choose(400, 40_000, 200_000);
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                RedisClient client = RedisClient.create("127.0.0.1", redis.port());
                SubjectProcess product = SubjectProcess.start(ProductFilterSubject.class, 1);
                SubjectProcess peer = SubjectProcess.startApart(PeerFilterSubject.class, 1)) {
            Map<String, String> memory = Map.of(
                    FilterWorkload.HOME, FilterWorkload.MEMORY, FilterWorkload.WRITERS, "1", FilterWorkload.BATCH, "1");
            List<Contender> all = List.of(
                    new Contender("kipimo, memory", product, inMemory, memory),
                    new Contender("peer, memory", peer, inMemory, memory),
                    new Contender("kipimo, Redis, batches of " + BATCH, product, 4 * inRedis, redis(redis, BATCH)),
                    new Contender("kipimo, Redis, one by one", product, inRedis, redis(redis, 1)),
                    new Contender("peer, Redis, one by one", peer, inRedis, redis(redis, 1)));
            SubjectComparison<Contender, MeasuredRun> comparison = new SubjectComparison<Contender, MeasuredRun>(
                            context)
                    .progress((one, measured) ->
                            Phrase.of("%-30s %,12.0f operations/s", one.name, measured.run.eventsPerSecond()));
            all.forEach(one -> comparison.add(one, round -> measure(one, client, round)));
            return result(all, comparison.run());
        }
    }

    private static Map<String, String> redis(EmbeddedRedis redis, int batch) {
        return Map.of(
                FilterWorkload.HOME,
                FilterWorkload.REDIS,
                FilterWorkload.PORT,
                Integer.toString(redis.port()),
                FilterWorkload.WRITERS,
                Integer.toString(WRITERS),
                FilterWorkload.BATCH,
                Integer.toString(batch));
    }

    private static MeasuredRun measure(Contender one, RedisClient redis, int round) throws Exception {
        long before = bytes(redis);
        SubjectRun run = one.process.run(new SideRequest("", "", round + 1, one.operations, 0, one.settings));
        return new MeasuredRun(run, (double) (bytes(redis) - before) / run.events());
    }

    private static double perSecond(MeasuredRun measured) {
        return measured.run.eventsPerSecond();
    }

    /** Bytes that Redis received and sent. */
    private static long bytes(RedisClient redis) {
        return Arrays.stream(redis.info("stats").split("\r\n"))
                .filter(line -> line.matches("total_net_(in|out)put_bytes:\\d+"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    private static Result result(List<Contender> all, Map<Contender, Repetitions<MeasuredRun>> measured) {
        Table table = new Table("Operations, best repetition");
        measured.forEach((one, runs) -> {
            Repetitions<MeasuredRun> peer = measured.get(all.get(one.isInMemory() ? 1 : all.size() - 1));
            table.row()
                    .cell("side", one.name)
                    .cell("operations/s", runs.best(FilterBenchmark::perSecond))
                    .cell(
                            "operations/CPU-s of the side",
                            runs.best(measurement -> measurement.run.eventsPerCpuSecond()))
                    .cell(
                            "times the peer (s)",
                            runs.best(FilterBenchmark::perSecond) / peer.best(FilterBenchmark::perSecond))
                    .cell("bytes on the wire an operation", one.isInMemory() ? null : runs.last().sentBytes);
        });
        return new Result(
                List.of(table),
                List.of(
                        "nine reads per change, 100,000 keys, TTL up to a minute, 14.6 KB and 4"
                                + " hashes; the flat filter is fetched every 10,000 operations of a"
                                + " writer; threads in memory: 1, on Redis: "
                                + WRITERS,
                        "the peer cannot batch reads"));
    }
}
