package io.kipimo.bench.invalidation;

import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.core.invalidation.CellSettings;
import io.kipimo.core.invalidation.MatchingCell;
import io.kipimo.core.invalidation.Registration;
import io.kipimo.core.invalidation.change.AfterImage;
import io.kipimo.core.invalidation.document.Document;
import io.kipimo.core.invalidation.filter.Filter;
import io.kipimo.core.invalidation.grid.Grid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Matching as the cells of the job do it, on the paper's workload: as fast as one and as two cores
 * take it, and how long a notification takes at the paper's 1,000 inserts a second. The peer is the
 * paper's way, every query tested against every write, with the same filters on the same documents
 * in the same run; its two sides must find the same matches.
 */
public final class InvalidationBenchmark implements Benchmark {
    private static final CellSettings CELL = new CellSettings(10_000, 10_000);
    private static final int INSERTS_A_SECOND = 1_000;
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / INSERTS_A_SECOND;

    /** Tests of a query against a write that brute force gets in one measurement. */
    private static final long MOST_TESTS = 20_000_000;

    @Override
    public String name() {
        return "invalidation";
    }

    @Override
    public String summary() {
        return "(query x write) pairs a second, and latency of notifications, by number of queries";
    }

    @Override
    public Result run(Context context) throws Exception {
        List<Integer> sizes =
                context.choose(
                        List.of(1_000),
                        List.of(1_000, 10_000, 100_000),
                        List.of(1_000, 10_000, 100_000, 1_000_000));
        int inserts = context.choose(2_000, 40_000, 120_000);
        int paced = context.choose(500, 3_000, 20_000);
        Table rates =
                Table.of(
                        "Matching, million (query x write) a second",
                        "queries",
                        "index, 1 core",
                        "inserts/s",
                        "index, 2 cores",
                        "all tested, 1 core",
                        "times",
                        "matches",
                        "same matches");
        Table latencies =
                Table.of(
                        "Notification at 1,000 inserts/s, microseconds",
                        "queries",
                        "notifications",
                        "p50",
                        "p99",
                        "max");
        for (int queries : sizes) {
            measure(context, new PostWorkload(queries), inserts, paced, rates, latencies);
        }
        return new Result(
                List.of(rates, latencies),
                List.of(
                        "inserts of posts of eight fields against queries for an author and likes,"
                                + " a range of prices, or a tag, each of which matches about once in"
                                + " 120,000 inserts (Quaestor, sec. 6.3, where a node does 5 million a"
                                + " second)",
                        "matching alone: the log, Flink and JSON are not in it; a notification's"
                                + " latency is from when its insert was due to when it is handed on",
                        "2 cores: a grid of 2 rows, the halves of the inserts in a thread each",
                        "medians of "
                                + context.repetitions()
                                + " repetitions after one to get warm;"
                                + " all tested: fewer inserts, so that it ends"));
    }

    private static void measure(
            Context context,
            PostWorkload workload,
            int inserts,
            int paced,
            Table rates,
            Table latencies)
            throws Exception {
        int queries = workload.queries();
        List<AfterImage> posts = new ArrayList<>(inserts);
        for (int i = 0; i < inserts; i++) {
            posts.add(workload.insert(i, i));
        }
        int testedInserts = (int) Math.max(1, Math.min(inserts, MOST_TESTS / queries));
        double[] one = new double[context.repetitions()];
        double[] two = new double[context.repetitions()];
        double[] brute = new double[context.repetitions()];
        Matched found = new Matched(0, 0);
        long expected = 0;
        for (int repetition = -1; repetition < context.repetitions(); repetition++) {
            found = index(workload, List.of(posts), testedInserts);
            double both = nanos(workload, halves(posts));
            long[] tested = testAll(workload, posts.subList(0, testedInserts));
            expected = tested[1];
            if (repetition >= 0) {
                one[repetition] = found.nanos() / inserts;
                two[repetition] = both / inserts;
                brute[repetition] = (double) tested[0] / testedInserts;
            }
        }
        double millions = 1e3 * queries;
        rates.row(
                queries,
                millions / median(one),
                1e9 / median(one),
                millions / median(two),
                millions / median(brute),
                median(brute) / median(one),
                found.firstMatches(),
                found.firstMatches() == expected ? "yes" : "NO, but " + expected);
        Histogram micros = latencies(workload, paced);
        latencies.row(
                queries,
                micros.getTotalCount(),
                micros.getValueAtPercentile(50) / 1e3,
                micros.getValueAtPercentile(99) / 1e3,
                micros.getMaxValue() / 1e3);
        context.say(
                "%,d queries: %,.0f million/s by index, %,.1f million/s testing all",
                queries, millions / median(one), millions / median(brute));
    }

    /**
     * @param firstMatches of the inserts that brute force gets, too
     */
    private record Matched(double nanos, long firstMatches) {}

    private static MatchingCell cell(PostWorkload workload) {
        MatchingCell cell = new MatchingCell(CELL);
        for (int i = 0; i < workload.queries(); i++) {
            Registration registration = workload.registration(i);
            var unused = cell.register(registration, match -> {});
        }
        return cell;
    }

    private static Matched index(PostWorkload workload, List<List<AfterImage>> rows, int first) {
        MatchingCell cell = cell(workload);
        long[] matches = new long[2];
        long start = System.nanoTime();
        int count = 0;
        for (AfterImage insert : rows.get(0)) {
            int which = count++ < first ? 0 : 1;
            var unused = cell.apply(insert, match -> matches[which]++);
        }
        return new Matched(System.nanoTime() - start, matches[0]);
    }

    private static List<List<AfterImage>> halves(List<AfterImage> posts) {
        Grid grid = new Grid(1, 2);
        List<List<AfterImage>> rows = List.of(new ArrayList<>(), new ArrayList<>());
        for (AfterImage post : posts) {
            rows.get(grid.row(post.collection(), post.recordId())).add(post);
        }
        return rows;
    }

    /** Of all rows together, each in a thread with a cell of its own. */
    private static double nanos(PostWorkload workload, List<List<AfterImage>> rows)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(rows.size());
        try {
            CyclicBarrier start = new CyclicBarrier(rows.size());
            List<Callable<long[]>> tasks = new ArrayList<>();
            for (List<AfterImage> row : rows) {
                tasks.add(
                        () -> {
                            MatchingCell cell = cell(workload);
                            int unusedTurn = start.await();
                            long from = System.nanoTime();
                            for (AfterImage insert : row) {
                                var unused = cell.apply(insert, match -> {});
                            }
                            return new long[] {from, System.nanoTime()};
                        });
            }
            long from = Long.MAX_VALUE;
            long to = Long.MIN_VALUE;
            for (Future<long[]> task : threads.invokeAll(tasks)) {
                from = Math.min(from, task.get()[0]);
                to = Math.max(to, task.get()[1]);
            }
            return to - from;
        } finally {
            threads.shutdownNow();
        }
    }

    /** Nanoseconds, and matches. */
    private static long[] testAll(PostWorkload workload, List<AfterImage> posts) {
        Filter[] filters = new Filter[workload.queries()];
        for (int i = 0; i < filters.length; i++) {
            filters[i] = workload.query(i).filter();
        }
        long matches = 0;
        long start = System.nanoTime();
        for (AfterImage post : posts) {
            Document image = post.image().orElseThrow();
            for (Filter filter : filters) {
                matches += filter.matches(image) ? 1 : 0;
            }
        }
        return new long[] {System.nanoTime() - start, matches};
    }

    /** Nanoseconds from when an insert was due; one that waits for others before it waits on. */
    private static Histogram latencies(PostWorkload workload, int inserts) {
        MatchingCell cell = cell(workload);
        Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        long start = System.nanoTime() + PERIOD_NANOS;
        for (int i = 0; i < inserts; i++) {
            AfterImage insert = workload.insert(i, i);
            long due = start + i * PERIOD_NANOS;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(Math.max(1, (due - System.nanoTime()) / 2));
            }
            var unused = cell.apply(insert, match -> nanos.recordValue(System.nanoTime() - due));
        }
        return nanos;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
