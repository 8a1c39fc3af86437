package io.kipimo.core.invalidation;

import io.kipimo.core.invalidation.filter.ArrayValue;
import io.kipimo.core.invalidation.filter.Document;
import io.kipimo.core.invalidation.filter.Value;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The workload of Quaestor, sec. 6.3: inserts of new records, 1,000 per second for two minutes, against active queries
 * each of which matches about once in that time; here as fast as one core can process them. Reports (query x write)
 * pairs per second; the paper reaches 5 million per node. With {@code brute} it also measures the paper's method, which
 * tests every query against every write.
 *
 * <p>It measures the CPU time of the matching thread, so that figures are comparable on machines with other load.
 * Garbage collection is not included.
 */
public final class MatchingCellBenchmark {
    private static final int INSERTS = 120_000;
    private static final int BRUTE_FORCE_INSERTS = 1_200;

    /** Kind of the queries' conditions. */
    public enum Shape {
        /** {@code {author: 17}}. */
        EQUALITY,
        /** {@code {price: {$gte: 17, $lt: 18}}}. */
        RANGE,
        /** Both, with further conditions, and tags in arrays. */
        MIXED
    }

    private static final int ROUNDS = 7;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int queries;
    private final Shape shape;
    private final List<Registration> registrations = new ArrayList<>();
    private final List<AfterImage> inserts = new ArrayList<>();
    private long matches;

    private MatchingCellBenchmark(int queries, Shape shape) {
        this.queries = queries;
        this.shape = shape;
        for (int i = 0; i < queries; i++) {
            RegisteredQuery query = RegisteredQuery.of("posts", filter(i));
            registrations.add(Registration.of(query, Map.of(), 0));
        }
        SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < INSERTS; i++) {
            inserts.add(AfterImage.of("posts", "post-" + i, 1, i, post(i, random)));
        }
    }

    private Document filter(int i) {
        return switch (shape) {
            case EQUALITY -> Document.of("author", new Value.Int64(i));
            case RANGE -> Document.of("price", between(i, i + 1));
            case MIXED ->
                switch (i % 3) {
                    case 0 ->
                        Document.builder()
                                .put("type", "post")
                                .put("author", i)
                                .put("likes", Document.of("$gte", new Value.Int64(5)))
                                .build();
                    case 1 ->
                        Document.builder()
                                .put("price", between(i, i + 1))
                                .put("type", Document.of("$ne", new Value.TextValue("draft")))
                                .build();
                    default -> Document.of("tags", new Value.TextValue("tag" + i));
                };
        };
    }

    private static Document between(long from, long to) {
        return Document.builder().put("$gte", from).put("$lt", to).build();
    }

    private Document post(int i, SplittableRandom random) {
        return Document.builder()
                .put("_id", "post-" + i)
                .put("type", "post")
                .put("author", random.nextInt(queries))
                .put("price", random.nextDouble() * queries)
                .put("likes", random.nextInt(10))
                .put(
                        "tags",
                        ArrayValue.of(
                                new Value.TextValue("tag" + random.nextInt(queries)),
                                new Value.TextValue("tag" + random.nextInt(queries))))
                .put("title", "A title of some words")
                .put("text", "And what is said about it, which no query asks for")
                .put("place", Document.builder().put("x", 1.5).put("y", 2.5).build())
                .build();
    }

    /** Nanoseconds per insert, in the least disturbed of several rounds. */
    private double insert() {
        double[] nanos = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            MatchingCell cell = new MatchingCell(new MatchingCell.Retention(10_000, 10_000));
            registrations.forEach(registration -> cell.register(registration, match -> {}));
            long start = THREADS.getCurrentThreadCpuTime();
            for (AfterImage insert : inserts) {
                cell.apply(insert, match -> matches++);
            }
            nanos[round] = (THREADS.getCurrentThreadCpuTime() - start) / (double) INSERTS;
        }
        return Arrays.stream(nanos).min().orElseThrow();
    }

    private double insertTestingAll() {
        double[] nanos = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long start = THREADS.getCurrentThreadCpuTime();
            for (AfterImage insert : inserts.subList(0, BRUTE_FORCE_INSERTS)) {
                Document image = insert.image().orElseThrow();
                for (Registration registration : registrations) {
                    matches += registration.query().filter().matches(image) ? 1 : 0;
                }
            }
            nanos[round] = (THREADS.getCurrentThreadCpuTime() - start) / (double) BRUTE_FORCE_INSERTS;
        }
        return Arrays.stream(nanos).min().orElseThrow();
    }

    private void report(String way, double nanos) {
        System.out.printf(
                "%-8s %-8s %,9d queries: %,10.0f ns an insert, %,10.0f million (query x write)/s,"
                        + " %.2f matches an insert%n",
                way,
                shape,
                queries,
                nanos,
                queries / nanos * 1e3,
                matches / (double) ROUNDS / (way.equals("index") ? INSERTS : BRUTE_FORCE_INSERTS));
        matches = 0;
    }

    public static void main(String[] arguments) {
        boolean isBrute = Arrays.asList(arguments).contains("brute");
        for (Shape shape : Shape.values()) {
            for (int queries : new int[] {1_000, 10_000, 100_000, 1_000_000}) {
                MatchingCellBenchmark benchmark = new MatchingCellBenchmark(queries, shape);
                benchmark.report("index", benchmark.insert());
                if (isBrute && queries <= 10_000) {
                    benchmark.report("test all", benchmark.insertTestingAll());
                }
            }
        }
    }
}
