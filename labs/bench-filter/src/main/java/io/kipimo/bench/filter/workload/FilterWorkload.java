package io.kipimo.bench.filter.workload;

import io.kipimo.bench.side.CpuClock;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Nine reads to a change, over a hundred thousand keys with up to a minute to live. Now and then the flat filter is
 * read.
 */
public final class FilterWorkload {
    /** Setting: {@link #MEMORY} or {@link #REDIS}. */
    public static final String HOME = "home";

    public static final String MEMORY = "memory";
    public static final String REDIS = "redis";

    /** Setting: port of Redis on this machine. */
    public static final String PORT = "port";

    /** Setting: how many write at once. */
    public static final String WRITERS = "writers";

    /** Setting: operations that are sent together; 1: one by one. */
    public static final String BATCH = "batch";

    /** Length of the filter. */
    public static final int BITS = 116_800;

    /** Number of bits that a key sets. */
    public static final int HASHES = 4;

    public static final long LONGEST_TTL_MILLIS = 60_000;

    private static final int KEYS = 100_000;
    private static final int OPERATIONS_A_CHANGE = 10;
    private static final int OPERATIONS_A_FETCH = 10_000;

    /** One writer's way into a home. */
    public interface FilterWriter extends AutoCloseable {
        void reportRead(String key, long ttlMillis);

        void invalidate(String key);

        /** Gets the flat filter; its size in bytes. */
        int fetch();

        /** What waits to be sent goes out. */
        @Override
        default void close() {}
    }

    /** Makes writers. */
    public interface Home {
        FilterWriter writer();
    }

    private FilterWorkload() {}

    /** Does {@code request.events()} operations. */
    public static SubjectRun run(SideRequest request, Home home) throws Exception {
        int writers = Integer.parseInt(request.settings().get(WRITERS));
        long each = request.events() / writers;
        String[] keys = new String[KEYS];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = "/db/articles/query?tag=" + i;
        }
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        long cpu = CpuClock.micros();
        long start = System.nanoTime();
        List<Future<Long>> all = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            SplittableRandom random = new SplittableRandom(31L * request.repetition() + i);
            all.add(threads.submit(() -> operate(home, each, keys, random)));
        }
        double fetched = 0;
        for (Future<Long> one : all) {
            fetched += one.get();
        }
        long wall = (System.nanoTime() - start) / 1000;
        threads.shutdown();
        return new SubjectRun(each * writers, wall, CpuClock.micros() - cpu, Map.of("fetched bytes", fetched));
    }

    private static long operate(Home home, long operations, String[] keys, SplittableRandom random) {
        long fetched = 0;
        try (FilterWriter writer = home.writer()) {
            for (long i = 1; i <= operations; i++) {
                String key = keys[random.nextInt(keys.length)];
                if (i % OPERATIONS_A_CHANGE == 0) {
                    writer.invalidate(key);
                } else {
                    writer.reportRead(key, 1 + random.nextLong(LONGEST_TTL_MILLIS));
                }
                if (i % OPERATIONS_A_FETCH == 0) {
                    fetched += writer.fetch();
                }
            }
        }
        return fetched;
    }
}
