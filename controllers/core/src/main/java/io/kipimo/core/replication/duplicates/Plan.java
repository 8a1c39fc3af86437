package io.kipimo.core.replication.duplicates;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The cheapest mix that meets a service level, and the alternatives with as many servers.
 *
 * @param chosen the mix with the fewest servers, then the highest service level, then the fewest
 *     copies; empty if no mix within the limit meets the level
 * @param ofTheSameSize all mixes of the same size, best first, including the chosen one; if none
 *     was chosen, those of the size that came closest
 */
public record Plan(Optional<Mix> chosen, List<Mix> ofTheSameSize) {
    /** More would take too long to search. */
    public static final int MOST_SERVERS = 100_000;

    private static final Comparator<Mix> BEST_FIRST =
            Comparator.comparingDouble(Mix::serviceLevel)
                    .reversed()
                    .thenComparingInt(Mix::duplicates);

    /**
     * Searches all mixes of up to {@code maximumServers} servers.
     *
     * @param tauMillis latency bound, finite, 0 or more
     * @param serviceLevel share of requests that must be in time, 0..1
     * @param arrivalsPerSecond of the whole service
     * @param maximumServers 1..{@value #MOST_SERVERS}
     * @throws IllegalArgumentException naming the parameter that is out of range
     */
    public static Plan cheapest(
            ServiceTimes times,
            double tauMillis,
            double serviceLevel,
            double arrivalsPerSecond,
            double networkMillis,
            int maximumServers) {
        if (!(serviceLevel >= 0 && serviceLevel <= 1)) {
            throw new IllegalArgumentException(
                    "service level is " + serviceLevel + "; allowed: 0..1");
        }
        if (maximumServers < 1 || maximumServers > MOST_SERVERS) {
            throw new IllegalArgumentException(
                    "servers are at most " + maximumServers + "; allowed: 1.." + MOST_SERVERS);
        }
        List<Mix> closest = List.of();
        for (int servers = 1; servers <= maximumServers; servers++) {
            List<Mix> mixes = ofSize(servers, times, tauMillis, arrivalsPerSecond, networkMillis);
            Mix best = mixes.get(0);
            if (best.serviceLevel() >= serviceLevel) {
                return new Plan(Optional.of(best), mixes);
            }
            if (closest.isEmpty() || best.serviceLevel() > closest.get(0).serviceLevel()) {
                closest = mixes;
            }
        }
        return new Plan(Optional.empty(), closest);
    }

    private static List<Mix> ofSize(
            int servers,
            ServiceTimes times,
            double tauMillis,
            double arrivalsPerSecond,
            double networkMillis) {
        // Pairs of divisors keep the time for n servers at O(sqrt(n)).
        return IntStream.rangeClosed(1, (int) Math.sqrt(servers))
                .filter(divisor -> servers % divisor == 0)
                .flatMap(
                        divisor ->
                                divisor * divisor == servers
                                        ? IntStream.of(divisor)
                                        : IntStream.of(divisor, servers / divisor))
                .mapToObj(
                        duplicates ->
                                Zoolander.mix(
                                        times,
                                        tauMillis,
                                        servers / duplicates,
                                        duplicates,
                                        arrivalsPerSecond,
                                        networkMillis))
                .sorted(BEST_FIRST)
                .toList();
    }
}
