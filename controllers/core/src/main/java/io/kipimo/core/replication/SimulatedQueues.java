package io.kipimo.core.replication;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Simulates queues to predict the share of requests answered within a latency bound, when N duplicates all work on
 * every request in order of arrival and the first answer wins. Unlike {@link Zoolander}, the prediction holds at every
 * utilisation. A request waits for the requests before it, not for the mean wait. The duplicates' waits depend on each
 * other, because they have the same arrivals.
 *
 * <p>Each server follows Lindley's recursion. A request counts as the probability that it is in time given its wait.
 * This has less variance than drawing whether it is in time.
 */
public final class SimulatedQueues {
    private static final double MILLIS = 1e3;

    /** Number of services that are drawn for a prediction, which takes about a tenth of a second. */
    private static final int SERVICES = 2_000_000;

    /** Longest gap between requests that is simulated. Rarer requests do not meet in a queue either. */
    private static final double LONGEST_GAP_MILLIS = 1e12;

    private static final int MOST_STALLS = 100_000_000;

    private static final int FEWEST_REQUESTS = 20_000;
    private static final int MOST_REQUESTS = 400_000;

    /** The queues are empty at first; this share of the requests does not count. */
    private static final double WARM_UP = 0.1;

    /** Number of batches from which the interval is computed; {@link #STUDENT_95} is Student's t for this number. */
    private static final int BATCHES = 20;

    private static final double STUDENT_95 = 2.093;

    private SimulatedQueues() {}

    /**
     * A mix of servers under some traffic; the same seed gives the same result.
     *
     * @param times service times of each duplicate, or one element for all
     * @param tauMillis latency bound, finite, 0 or more
     * @param traffic traffic with an arrival rate above 0
     * @throws IllegalArgumentException naming the parameter that is out of range
     */
    public static Mix mix(
            List<ServiceTimes> times, double tauMillis, int replicas, int duplicates, Traffic traffic, long seed) {
        Mix formula = Zoolander.mix(
                times, tauMillis, replicas, duplicates, traffic.arrivalsPerSecond(), traffic.networkMillis());
        if (!(traffic.arrivalsPerSecond() > 0)) {
            throw new IllegalArgumentException("arrivalsPerSecond is 0; allowed: > 0");
        }
        int requests = requests(duplicates, replicas, traffic);
        SplittableRandom random = new SplittableRandom(seed);
        Mix simulated = simulated(formula, tauMillis, traffic, requests, random);
        if (times.stream().noneMatch(ServiceTimes::comeInRuns)) {
            return simulated;
        }
        double ofSamples = varianceOfSamples(times, simulated, tauMillis, traffic, requests, random);
        return MixBuilder.builder(simulated)
                .halfWidth(Math.hypot(simulated.halfWidth(), STUDENT_95 * Math.sqrt(ofSamples)))
                .build();
    }

    /**
     * Variance of the service level between samples like the measured ones. Slow times that come in runs are worth only
     * a few independent samples, however many they are.
     */
    private static double varianceOfSamples(
            List<ServiceTimes> times,
            Mix mix,
            double tauMillis,
            Traffic traffic,
            int requests,
            SplittableRandom random) {
        double[] levels = new double[BATCHES];
        double ofSimulation = 0;
        for (int i = 0; i < BATCHES; i++) {
            List<ServiceTimes> others = times.stream()
                    .map(one -> one.comeInRuns() ? one.resampled(random) : one)
                    .toList();
            Mix other = simulated(
                    Zoolander.mix(
                            others,
                            tauMillis,
                            mix.replicas(),
                            mix.duplicates(),
                            traffic.arrivalsPerSecond(),
                            traffic.networkMillis()),
                    tauMillis,
                    traffic,
                    Math.max(FEWEST_REQUESTS / 2, requests / 10),
                    random);
            levels[i] = other.serviceLevel();
            ofSimulation += Math.pow(other.halfWidth() / STUDENT_95, 2) / BATCHES;
        }
        return Math.max(0, StatUtils.variance(levels) - ofSimulation);
    }

    /** Simulates a mix; the interval of the result has the error of the simulation alone. */
    private static Mix simulated(
            Mix formula, double tauMillis, Traffic traffic, int requests, SplittableRandom random) {
        double available = traffic.stalls().available();
        SplittableRandom arrivals = random.split();
        long sharedSeed = random.nextLong();
        List<Duplicate> group = formula.group();
        List<SimulatedDuplicate> servers = new ArrayList<>();
        for (int i = 0; i < formula.duplicates(); i++) {
            Duplicate duplicate = group.get(Math.min(i, group.size() - 1));
            boolean keepsUp = duplicate.utilisation() < available;
            servers.add(new SimulatedDuplicate(
                    duplicate.times(),
                    tauMillis - traffic.networkMillis(),
                    random.split(),
                    traffic.stalls().isNone()
                            ? null
                            : new StallCourse(traffic.stalls(), random.split(), new SplittableRandom(sharedSeed)),
                    keepsUp));
        }
        double[] batches = run(servers, requests, formula.replicas(), traffic, arrivals);
        int counted = requests - (int) (WARM_UP * requests);
        return MixBuilder.builder(formula)
                .serviceLevel(Math.min(1, Arrays.stream(batches).sum() / BATCHES))
                .halfWidth(STUDENT_95 * Math.sqrt(StatUtils.variance(batches) / BATCHES))
                .shares(servers.stream()
                        .limit(group.size())
                        .map(server -> Math.min(1, server.inTime / counted))
                        .toList())
                .build();
    }

    private static int requests(int duplicates, int replicas, Traffic traffic) {
        Traffic.ServerStalls stalls = traffic.stalls();
        double stallsOfARequest = duplicates
                * (replicas / traffic.arrivalsPerSecond() * MILLIS)
                / (stalls.everyMillis() + stalls.lengthMillis());
        if (!stalls.isNone() && stallsOfARequest * FEWEST_REQUESTS > MOST_STALLS) {
            throw new IllegalArgumentException(
                    "everyMillis is %s; allowed: at most %s stalls of a group between two of its requests"
                            .formatted(stalls.everyMillis(), MOST_STALLS / FEWEST_REQUESTS));
        }
        double most = stalls.isNone() ? MOST_REQUESTS : MOST_STALLS / stallsOfARequest;
        return (int) Math.max(FEWEST_REQUESTS, Math.min(Math.min(MOST_REQUESTS, most), (double) SERVICES / duplicates));
    }

    /** Runs the simulation and returns the share of requests in time of each batch. */
    private static double[] run(
            List<SimulatedDuplicate> servers, int requests, int replicas, Traffic traffic, SplittableRandom random) {
        SimulatedDuplicate[] all = servers.stream()
                .filter(server -> server.keepsUp && server.shareWithoutWait > 0)
                .toArray(SimulatedDuplicate[]::new);
        if (all.length == 0) {
            return new double[BATCHES];
        }
        double perArrival = Math.max(1, (double) traffic.batch() / replicas);
        double gapMillis = Math.min(LONGEST_GAP_MILLIS, perArrival * replicas / traffic.arrivalsPerSecond() * MILLIS);
        RecordedArrivals.ArrivalReader recorded =
                traffic.recorded().map(r -> r.somewhere(random.nextLong())).orElse(null);
        int warmUp = (int) (WARM_UP * requests);
        double perBatch = (double) (requests - warmUp) / BATCHES;
        double[] batches = new double[BATCHES];
        int[] sizes = new int[BATCHES];
        double now = 0;
        int together = 0;
        for (int i = 0; i < requests; i++) {
            if (together == 0) {
                now += recorded == null ? exponential(random, gapMillis) : gap(recorded, traffic, replicas);
                together = (int) (perArrival + random.nextDouble());
            }
            together--;
            boolean counts = i >= warmUp;
            double late = 1;
            for (SimulatedDuplicate server : all) {
                late *= 1 - server.take(now, counts);
            }
            if (counts) {
                int batch = (int) ((i - warmUp) / perBatch);
                batches[batch] += 1 - late;
                sizes[batch]++;
            }
        }
        for (int i = 0; i < BATCHES; i++) {
            batches[i] /= sizes[i];
        }
        return batches;
    }

    /** Time until the next request of one replica; the replicas take the recorded requests in turn. */
    private static double gap(RecordedArrivals.ArrivalReader recorded, Traffic traffic, int replicas) {
        return Math.min(LONGEST_GAP_MILLIS, recorded.gaps(replicas) / traffic.arrivalsPerSecond() * MILLIS);
    }

    static double exponential(SplittableRandom random, double mean) {
        return Double.isInfinite(mean) ? mean : -mean * Math.log(1 - random.nextDouble());
    }

    /** One simulated duplicate. */
    private static final class SimulatedDuplicate {
        private final ServiceTimes times;
        private final double boundMillis;
        private final double shareWithoutWait;
        private final ServiceTimes.Lookup lookup;
        private final SplittableRandom random;
        private final StallCourse stalls;
        private final boolean keepsUp;
        private int place;
        private int unread;
        private double freeAt;
        private double inTime;

        SimulatedDuplicate(
                ServiceTimes times, double boundMillis, SplittableRandom random, StallCourse stalls, boolean keepsUp) {
            this.times = times;
            this.boundMillis = boundMillis;
            this.shareWithoutWait = boundMillis > 0 ? times.shareAtMost(boundMillis) : 0;
            this.lookup = times.upTo(Math.max(0, boundMillis));
            this.random = random;
            this.stalls = stalls;
            this.keepsUp = keepsUp;
            this.place = times.somewhere(random);
            this.unread = times.readingLength();
        }

        /** Takes a request and returns the probability that this duplicate answers it in time. */
        double take(double now, boolean counts) {
            double begin = Math.max(now, freeAt);
            double service = times.at(place);
            double share = share(now, begin, service);
            freeAt = stalls == null ? begin + service : stalls.finish(begin, service);
            unread--;
            if (unread == 0) {
                place = times.somewhere(random);
                unread = times.readingLength();
            } else {
                place++;
            }
            inTime += counts ? share : 0;
            return share;
        }

        private double share(double now, double begin, double service) {
            double left = boundMillis - (begin - now);
            if (stalls != null && left > 0) {
                left = stalls.working(begin, now + boundMillis);
            }
            if (!(left > 0)) {
                return 0;
            }
            if (times.comeInRuns()) {
                return service <= left ? 1 : 0;
            }
            return left == boundMillis ? shareWithoutWait : lookup.shareAtMost(left);
        }
    }
}
