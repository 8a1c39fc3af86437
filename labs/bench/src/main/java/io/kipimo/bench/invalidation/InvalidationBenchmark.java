package io.kipimo.bench.invalidation;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.SubjectComparison;
import io.kipimo.bench.report.Table;
import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.invalidation.MatchingCell;
import io.kipimo.core.invalidation.Registration;
import io.kipimo.core.invalidation.filter.Document;
import io.kipimo.core.invalidation.filter.Filter;
import io.kipimo.core.invalidation.filter.Grid;
import io.kipimo.loadgen.generator.OpenLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Measures matching by the job's cells on the workload of the Quaestor paper. The figures are the greatest rate on one
 * and on two cores, and the latency of notifications at the paper's 1,000 inserts a second, for the cell alone and for
 * the job between two topics. The peer is the paper's method, which tests every query against every write. It runs on
 * the same filters and documents in the same run, and both must find the same matches.
 */
public final class InvalidationBenchmark implements Benchmark {
    private static final MatchingCell.Retention CELL = new MatchingCell.Retention(10_000, 10_000);
    private static final int INSERTS_A_SECOND = 1_000;
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / INSERTS_A_SECOND;

    /** The paper's rate of one node, in millions of (query x write) a second (Quaestor, sec. 6.3). */
    private static final double MILLIONS_OF_PAPER = 5;

    /**
     * Number of inserts that are created together, outside the measured time. In a job they have just been decoded,
     * too.
     */
    private static final int BATCH = 1_000;

    /** Greatest number of (query x write) tests in one brute-force measurement. */
    private static final long MOST_TESTS = 20_000_000;

    @Override
    public Result run(Context context) throws Exception {
        List<Integer> sizes = context.choose(
                List.of(1_000), List.of(1_000, 10_000, 100_000), List.of(1_000, 10_000, 100_000, 1_000_000));
        Table rates = new Table("Matching, million (query x write) a second");
        Table latencies = new Table("Notification at 1,000 inserts/s, microseconds");
        for (int queries : sizes) {
            new MatchMeasurement(context, queries).run(rates, latencies);
        }
        Table wholeWay = new Table("From a write's record to its notification's, at 1,000 inserts/s, milliseconds");
        try (BrokerProcess broker = BrokerProcess.start()) {
            for (int queries :
                    context.choose(List.of(1_000), List.of(1_000, 3_000, 10_000), List.of(1_000, 3_000, 10_000))) {
                WholeWay.measure(
                        context, broker, queries, context.choose(2, 10, 60), context.choose(2, 10, 40), wholeWay);
            }
        }
        return new Result(
                List.of(rates, latencies, wholeWay, GridWork.measure(context)),
                List.of(
                        "inserts of posts (eight fields) against queries for an author and likes,"
                                + " a range of prices, or a tag, each of which matches about once in"
                                + " 120,000 inserts, two minutes of them (how often the paper's match is"
                                + " not said; Quaestor, sec. 6.3: 1,000 inserts/s, a node does 5"
                                + " million a second), or in as many as there are queries if these are more",
                        "the first two tables measure matching alone, without log, Flink and JSON;"
                                + " latencies are from an insert's scheduled time to its notification",
                        "2 cores: a grid of 2 rows; two threads take half of the inserts each, and"
                                + " the slower one counts",
                        "medians of "
                                + context.repetitions()
                                + " repetitions after one for warm-up; all tested: fewer inserts, to limit the time",
                        "the third table: from the scheduled time of a write to the time when the"
                                + " consumer has its notification; broker, job (parallelism 2), and"
                                + " the producer with the consumer in a JVM each; every insert is sent"
                                + " as a record, some as changes of queries' results"));
    }

    /**
     * One repetition: nanoseconds per insert by the index, by two half cells and by brute force; and the numbers of
     * matches that the index and brute force found.
     */
    private record InvalidationRound(
            double indexNanos, double halvesNanos, double bruteNanos, long found, long expected) {}

    /**
     * Measurement for one number of queries. Filters and cells are created once. After each measurement the cells
     * forget the inserts, so that time and memory grow with the number of queries alone.
     */
    private static final class MatchMeasurement {
        private final Context context;
        private final PostWorkload workload;
        private final List<MatchingCell> cells;
        private final Filter[] filters;
        private int nextInsert;

        MatchMeasurement(Context context, int queries) {
            this.context = context;
            this.workload = new PostWorkload(queries);
            context.say("%,d queries: registering", queries);
            cells = List.of(new MatchingCell(CELL), new MatchingCell(CELL));
            filters = new Filter[queries];
            for (int i = 0; i < queries; i++) {
                Registration registration = workload.registration(i);
                filters[i] = registration.query().filter();
                for (MatchingCell cell : cells) {
                    var unused = cell.register(registration, match -> {});
                }
            }
        }

        void run(Table rates, Table latencies) throws Exception {
            int queries = workload.queries();
            int inserts = context.choose(2_000, 40_000, 120_000);
            int testedInserts = (int) Math.max(1, Math.min(inserts, MOST_TESTS / queries));
            Repetitions<InvalidationRound> rounds = new SubjectComparison<Integer, InvalidationRound>(context)
                    .quietly()
                    .add(queries, round -> round(inserts, testedInserts))
                    .run()
                    .get(queries);
            double one = rounds.median(InvalidationRound::indexNanos);
            double brute = rounds.median(InvalidationRound::bruteNanos);
            InvalidationRound last = rounds.last();
            double millions = 1e3 * queries;
            rates.row()
                    .cell("queries", queries)
                    .cell("index, 1 core", millions / one)
                    .cell("times the paper's 5 million", millions / one / MILLIONS_OF_PAPER)
                    .cell("inserts/s", 1e9 / one)
                    .cell("index, 2 cores", millions / rounds.median(InvalidationRound::halvesNanos))
                    .cell("all tested, 1 core", millions / brute)
                    .cell("times", brute / one)
                    .cell("matches", last.found)
                    .cell("same matches", last.found == last.expected ? "yes" : "NO, but " + last.expected);
            Histogram micros = latencies(context.choose(500, 3_000, 20_000));
            latencies
                    .row()
                    .cell("queries", queries)
                    .cell("notifications", micros.getTotalCount())
                    .cell("p50", micros.getValueAtPercentile(50) / 1e3)
                    .cell("p99", micros.getValueAtPercentile(99) / 1e3)
                    .cell("max", micros.getMaxValue() / 1e3);
            context.say(
                    "%,d queries: %,.0f million/s by index, %,.0f times the paper's 5 million;"
                            + " %,.1f million/s testing all",
                    queries, millions / one, millions / one / MILLIONS_OF_PAPER, millions / brute);
        }

        private InvalidationRound round(int inserts, int testedInserts) throws Exception {
            int first = nextInsert;
            nextInsert += inserts;
            long[] index = index(first, inserts, testedInserts);
            forget(first, inserts);
            double both = halves(first, inserts);
            forget(first, inserts);
            long[] tested = testAll(first, testedInserts);
            return new InvalidationRound(
                    (double) index[0] / inserts,
                    both / inserts,
                    (double) tested[0] / testedInserts,
                    index[1],
                    tested[1]);
        }

        /** Deletes the inserted posts, so that the next measurement starts from the same state of the cells. */
        private void forget(int first, int count) {
            for (int i = first; i < first + count; i++) {
                AfterImage gone = workload.deletion(i, i);
                for (MatchingCell cell : cells) {
                    var unused = cell.apply(gone, match -> {});
                }
            }
            cells.forEach(cell -> cell.forget(Long.MAX_VALUE));
        }

        /**
         * Applies inserts to one cell. Returns the nanoseconds taken, and the number of matches among those inserts
         * that brute force tests, too.
         */
        private long[] index(int first, int count, int tested) {
            long[] matches = new long[2];
            MatchingCell cell = cells.get(0);
            long nanos = 0;
            for (List<AfterImage> batch : batches(first, count, i -> true)) {
                long start = System.nanoTime();
                for (AfterImage insert : batch) {
                    int which = insert.writtenAtMillis() < first + tested ? 0 : 1;
                    var unused = cell.apply(insert, match -> matches[which]++);
                }
                nanos += System.nanoTime() - start;
            }
            return new long[] {nanos, matches[0]};
        }

        /** Batches of the chosen inserts, each created only when it is needed. */
        private Iterable<List<AfterImage>> batches(int first, int count, IntPredicate chosen) {
            int end = first + count;
            return () -> IntStream.iterate(first, from -> from < end, from -> from + BATCH)
                    .mapToObj(from -> IntStream.range(from, Math.min(end, from + BATCH))
                            .filter(chosen)
                            .mapToObj(i -> workload.insert(i, i))
                            .toList())
                    .iterator();
        }

        /** Nanoseconds of the slower of two threads. Each thread works on the cell of one grid row. */
        private double halves(int first, int count) throws Exception {
            Grid grid = new Grid(1, cells.size());
            ExecutorService threads = Executors.newFixedThreadPool(cells.size());
            try {
                CyclicBarrier start = new CyclicBarrier(cells.size());
                List<Callable<Long>> tasks = new ArrayList<>();
                for (int row = 0; row < cells.size(); row++) {
                    MatchingCell cell = cells.get(row);
                    IntPredicate own = workload.inRow(grid, row);
                    tasks.add(() -> {
                        int unusedTurn = start.await();
                        long nanos = 0;
                        for (List<AfterImage> batch : batches(first, count, own)) {
                            long from = System.nanoTime();
                            for (AfterImage insert : batch) {
                                var unused = cell.apply(insert, match -> {});
                            }
                            nanos += System.nanoTime() - from;
                        }
                        return nanos;
                    });
                }
                long slowest = 0;
                for (Future<Long> task : threads.invokeAll(tasks)) {
                    slowest = Math.max(slowest, task.get());
                }
                return slowest;
            } finally {
                threads.shutdownNow();
            }
        }

        /** Tests every filter on every insert. Returns the nanoseconds taken and the number of matches. */
        private long[] testAll(int first, int count) {
            long matches = 0;
            long nanos = 0;
            for (List<AfterImage> batch : batches(first, count, i -> true)) {
                long start = System.nanoTime();
                for (AfterImage post : batch) {
                    Document image = post.image().orElseThrow();
                    for (Filter filter : filters) {
                        matches += filter.matches(image) ? 1 : 0;
                    }
                }
                nanos += System.nanoTime() - start;
            }
            return new long[] {nanos, matches};
        }

        /**
         * Latencies in nanoseconds from the scheduled time of an insert, so that waiting for earlier inserts counts.
         */
        private Histogram latencies(int count) {
            MatchingCell cell = cells.get(0);
            Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
            OpenLoop.run(
                    OpenLoop.regular(PERIOD_NANOS, System.nanoTime() + PERIOD_NANOS)
                            .limit(count),
                    due -> {
                        AfterImage insert = workload.insert(nextInsert, nextInsert);
                        nextInsert++;
                        var unused = cell.apply(insert, match -> nanos.recordValue(System.nanoTime() - due));
                    });
            return nanos;
        }
    }
}
