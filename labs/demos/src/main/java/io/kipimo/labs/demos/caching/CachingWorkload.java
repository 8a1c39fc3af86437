package io.kipimo.labs.demos.caching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The operations of every client with their times. All ways of caching get the same operations.
 *
 * @param perClient operations of each client, in order of time
 */
record CachingWorkload(List<List<CachingOperation>> perClient, long durationMillis) {
    /**
     * A read or a write.
     *
     * @param atMillis since the start
     * @param key of a record or query
     * @param newPriceCents new price of a write; 0: the operation is a read
     */
    record CachingOperation(long atMillis, String key, boolean isQuery, long newPriceCents) {
        boolean isWrite() {
            return newPriceCents > 0;
        }
    }

    static CachingWorkload of(CachingDemoSettings settings, long durationMillis, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<ProductQuery> queries = new ArrayList<>(ProductQuery.all(settings.categories()));
        // Shuffled, so that popularity does not follow the categories' numbers.
        for (int i = queries.size() - 1; i > 0; i--) {
            queries.set(i, queries.set(random.nextInt(i + 1), queries.get(i)));
        }
        double[] products = zipf(settings.products(), settings.zipf());
        double[] ofQueries = zipf(queries.size(), settings.zipf());
        double meanMillis = 1000.0 * settings.clients() / settings.operationsPerSecond();
        List<List<CachingOperation>> clients = new ArrayList<>();
        for (int client = 0; client < settings.clients(); client++) {
            List<CachingOperation> operations = new ArrayList<>();
            double at = -Math.log(1 - random.nextDouble()) * meanMillis;
            while (at < durationMillis) {
                boolean isWrite = random.nextDouble() < settings.writeShare();
                boolean isQuery = !isWrite && random.nextDouble() < settings.queryShare();
                String key = isQuery ? queries.get(draw(ofQueries, random)).key() : Product.id(draw(products, random));
                operations.add(
                        new CachingOperation((long) at, key, isQuery, isWrite ? 100 + random.nextInt(10_000) : 0));
                at += -Math.log(1 - random.nextDouble()) * meanMillis;
            }
            clients.add(operations);
        }
        return new CachingWorkload(clients, durationMillis);
    }

    long operations() {
        return perClient.stream().mapToLong(List::size).sum();
    }

    long writes() {
        return perClient.stream()
                .flatMap(List::stream)
                .filter(CachingOperation::isWrite)
                .count();
    }

    /** Cumulative weights of the ranks from 1 on; the weight of a rank is rank^-exponent. */
    private static double[] zipf(int size, double exponent) {
        double[] weights = new double[size];
        Arrays.setAll(weights, i -> Math.pow(i + 1, -exponent));
        Arrays.parallelPrefix(weights, Double::sum);
        return weights;
    }

    private static int draw(double[] cumulative, SplittableRandom random) {
        double wanted = random.nextDouble() * cumulative[cumulative.length - 1];
        int at = Arrays.binarySearch(cumulative, wanted);
        return Math.min(cumulative.length - 1, at >= 0 ? at + 1 : -at - 1);
    }
}
