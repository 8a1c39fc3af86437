package io.kipimo.bench.duplicates;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Table;
import io.kipimo.core.replication.Mix;
import io.kipimo.core.replication.ServiceTimes;
import io.kipimo.core.replication.SimulatedQueues;
import io.kipimo.core.replication.Traffic;
import io.kipimo.embedded.redis.EmbeddedRedis;
import io.kipimo.loadgen.generator.OpenLoop;
import io.kipimo.simulator.report.Phrase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Measures the share of requests that the first of 1, 2 and 4 Redis answers in time, at several utilisations, and
 * compares it with the prediction. Both have only service times and arrivals as input. The Redis are real and busy for
 * heavy-tailed times. A Redis sleeps instead of computing, so the figures depend little on this machine's processors.
 */
final class BusyDuplicates {
    private static final double[] BUSY = {0.05, 0.2, 0.4, 0.6};
    private static final int[] COUNTS = {1, 2, 4};
    private static final int MOST = 4;
    private static final double BOUND_SHARE = 0.9;

    /** Greatest difference from the prediction that counts as no difference. */
    private static final double SAME = 0.02;

    /**
     * Median of the log-normal service times; with {@link #SIGMA}, their mean is 4.1 ms, their coefficient of variation
     * 1.8.
     */
    private static final double MEDIAN_SECONDS = 0.002;

    private static final double SIGMA = 1.2;
    private static final double LONGEST_SECONDS = 0.2;

    private static final int BATCHES = 20;
    private static final double STUDENT_95 = 2.093;

    private BusyDuplicates() {}

    static Table run(Context context) throws Exception {
        List<EmbeddedRedis> stores = new ArrayList<>();
        List<Lane> lanes = new ArrayList<>();
        try {
            for (int i = 0; i < MOST; i++) {
                stores.add(EmbeddedRedis.start());
                lanes.add(new Lane(stores.get(i), i));
            }
            return measure(context, lanes);
        } finally {
            for (Lane lane : lanes) {
                lane.close();
            }
            stores.forEach(EmbeddedRedis::close);
        }
    }

    private static Table measure(Context context, List<Lane> lanes) throws InterruptedException {
        double[] alone = alone(lanes.get(0), context.choose(200, 4_000, 10_000));
        ServiceTimes times = ServiceTimes.measured(alone);
        double bound = DuplicatesBenchmark.percentile(alone, BOUND_SHARE);
        Table table = new Table(Phrase.of(
                "Redis busy for %.1f ms on average, variation %.1f, within %.2f ms",
                times.meanMillis(), times.coefficientOfVariation(), bound));
        for (double busy : BUSY) {
            double perSecond = busy / times.meanMillis() * 1e3;
            double[][] millis = loaded(lanes, perSecond, context.choose(2_000L, 20_000L, 120_000L), busy);
            for (int count : COUNTS) {
                double[] batches = inTime(millis, count, bound);
                double mean = Arrays.stream(batches).average().orElse(0);
                double squares =
                        Arrays.stream(batches).map(b -> (b - mean) * (b - mean)).sum() / (BATCHES - 1);
                double halfWidth = STUDENT_95 * Math.sqrt(squares / BATCHES);
                Mix predicted = SimulatedQueues.mix(List.of(times), bound, 1, count, Traffic.poisson(perSecond, 0), 1);
                double difference = mean - predicted.serviceLevel();
                table.row()
                        .cell("busy %", 100 * busy)
                        .cell("duplicates", count)
                        .cell("in time", DuplicatesBenchmark.share(mean))
                        .cell("95 % interval ±", DuplicatesBenchmark.share(halfWidth))
                        .cell("predicted", DuplicatesBenchmark.share(predicted.serviceLevel()))
                        .cell("difference", DuplicatesBenchmark.share(difference))
                        .cell(
                                "within 0.02",
                                Math.abs(difference) <= SAME
                                        ? "yes"
                                        : Math.abs(difference) <= SAME + halfWidth ? "unknown" : "NO")
                        .cell("requests", (long) millis[0].length);
            }
            context.say("%.0f %% busy: %d requests", 100 * busy, millis[0].length);
        }
        return table;
    }

    /** Service times of requests that one thread sends one after another, milliseconds. */
    private static double[] alone(Lane lane, int count) throws InterruptedException {
        DueRequest[] requests = new DueRequest[count];
        for (int i = 0; i < count; i++) {
            requests[i] = new DueRequest(System.nanoTime());
            lane.add(requests[i]);
        }
        lane.awaitIdle();
        return Arrays.stream(requests).mapToDouble(r -> r.serviceMillis).toArray();
    }

    /**
     * Latencies in milliseconds by lane and request. Requests arrive at random (Poisson), and each goes to every lane.
     */
    private static double[][] loaded(List<Lane> lanes, double perSecond, long millis, double busy)
            throws InterruptedException {
        SplittableRandom random = new SplittableRandom(Double.doubleToLongBits(busy));
        List<List<DueRequest>> sent = new ArrayList<>();
        lanes.forEach(lane -> sent.add(new ArrayList<>()));
        long start = System.nanoTime();
        long end = start + TimeUnit.MILLISECONDS.toNanos(millis);
        OpenLoop.run(OpenLoop.poisson(perSecond, random, start).takeWhile(due -> due <= end), due -> {
            for (int i = 0; i < lanes.size(); i++) {
                DueRequest request = new DueRequest(due);
                sent.get(i).add(request);
                lanes.get(i).add(request);
            }
        });
        double[][] found = new double[lanes.size()][];
        for (int i = 0; i < found.length; i++) {
            lanes.get(i).awaitIdle();
            found[i] = sent.get(i).stream().mapToDouble(r -> r.millis).toArray();
        }
        return found;
    }

    /**
     * Share of the requests whose first answer came in time, by successive batches. Each group of {@code count} lanes
     * serves as one service.
     */
    private static double[] inTime(double[][] millis, int count, double bound) {
        double[] batches = new double[BATCHES];
        int[] sizes = new int[BATCHES];
        int requests = millis[0].length;
        for (int first = 0; first < millis.length; first += count) {
            for (int i = 0; i < requests; i++) {
                double least = Double.POSITIVE_INFINITY;
                for (int lane = first; lane < first + count; lane++) {
                    least = Math.min(least, millis[lane][i]);
                }
                int batch = (int) ((long) i * BATCHES / requests);
                batches[batch] += least <= bound ? 1 : 0;
                sizes[batch]++;
            }
        }
        for (int i = 0; i < BATCHES; i++) {
            batches[i] /= Math.max(1, sizes[i]);
        }
        return batches;
    }

    /** A request that is due at a time. It has a latency and a service time once it is answered. */
    private static final class DueRequest {
        private final long dueNanos;
        private volatile double millis = Double.POSITIVE_INFINITY;
        private volatile double serviceMillis;

        DueRequest(long dueNanos) {
            this.dueNanos = dueNanos;
        }
    }

    /**
     * One Redis and the requests that wait for it, in order. It gets one request at a time. If a Redis finds several
     * requests together, it answers them only when it has worked on all of them.
     */
    private static final class Lane implements AutoCloseable {
        private final Socket socket;
        private final SplittableRandom random;
        private final LinkedBlockingQueue<DueRequest> waiting = new LinkedBlockingQueue<>();
        private final Thread thread = new Thread(this::work, "bench-lane");
        private Throwable fault;
        private int open;

        Lane(EmbeddedRedis store, long seed) throws IOException {
            socket = new Socket(store.host(), store.port());
            socket.setTcpNoDelay(true);
            random = new SplittableRandom(seed);
            thread.setDaemon(true);
            thread.start();
        }

        synchronized void add(DueRequest request) {
            open++;
            waiting.add(request);
        }

        synchronized void awaitIdle() throws InterruptedException {
            while (open > 0) {
                if (fault != null) {
                    throw new IllegalStateException("a Redis does not answer", fault);
                }
                wait();
            }
        }

        private synchronized void ended(Throwable failure) {
            fault = failure;
            open--;
            notifyAll();
        }

        private void work() {
            try (OutputStream out = socket.getOutputStream();
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
                while (true) {
                    DueRequest request = waiting.take();
                    double seconds =
                            Math.min(LONGEST_SECONDS, MEDIAN_SECONDS * Math.exp(SIGMA * random.nextGaussian()));
                    String command = Phrase.of("DEBUG SLEEP %.6f\r\n", seconds);
                    long begun = System.nanoTime();
                    out.write(command.getBytes(StandardCharsets.UTF_8));
                    String answer = in.readLine();
                    if (!"+OK".equals(answer)) {
                        throw new IOException("answered '" + answer + "' to " + command.strip());
                    }
                    long now = System.nanoTime();
                    request.serviceMillis = (now - begun) / 1e6;
                    request.millis = (now - request.dueNanos) / 1e6;
                    ended(null);
                }
            } catch (IOException e) {
                ended(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() throws IOException, InterruptedException {
            thread.interrupt();
            socket.close();
            thread.join();
        }
    }
}
