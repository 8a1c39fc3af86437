package io.kipimo.core.replication;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The cheapest mix that meets a service level, and the alternatives with as many servers.
 *
 * @param chosen the mix with the fewest servers, then the highest service level, then the fewest copies; empty if no
 *     mix within the limit meets the level
 * @param ofTheSameSize all mixes of the same size, best first, including the chosen one; if none was chosen, those of
 *     the size that came closest
 */
public record Plan(Optional<Mix> chosen, List<Mix> ofTheSameSize) {
    /** Greatest number of servers that can be searched; more would take too long. */
    public static final int MOST_SERVERS = 100_000;

    private static final Comparator<Mix> BEST_FIRST =
            Comparator.comparingDouble(Mix::serviceLevel).reversed().thenComparingInt(Mix::duplicates);

    /**
     * Searches all mixes of up to {@code maximumServers} servers.
     *
     * @param serviceLevel share of requests that must be in time, 0..1
     * @param maximumServers 1..{@value #MOST_SERVERS}
     * @param mostDuplicates greatest number of duplicates in a group, at least 1
     * @throws IllegalArgumentException naming the parameter that is out of range
     */
    public static Plan cheapest(Mix.MixModel model, double serviceLevel, int maximumServers, int mostDuplicates) {
        if (!(serviceLevel >= 0 && serviceLevel <= 1)) {
            throw new IllegalArgumentException("service level is " + serviceLevel + "; allowed: 0..1");
        }
        if (maximumServers < 1 || maximumServers > MOST_SERVERS) {
            throw new IllegalArgumentException(
                    "servers are at most " + maximumServers + "; allowed: 1.." + MOST_SERVERS);
        }
        Zoolander.atLeast1("mostDuplicates", mostDuplicates);
        Optional<Mix> fewest = Optional.empty();
        Mix closest = null;
        // More replicas never harm, so those of each number of duplicates are found by bisection.
        for (int duplicates = 1; duplicates <= mostDuplicates; duplicates++) {
            int most = fewest.map(mix -> mix.servers() - 1).orElse(maximumServers) / duplicates;
            if (most == 0) {
                break;
            }
            Mix enough = model.of(most, duplicates);
            if (closest == null || enough.serviceLevel() > closest.serviceLevel()) {
                closest = enough;
            }
            if (!enough.reaches(serviceLevel)) {
                continue;
            }
            int tooFew = 0;
            while (enough.replicas() - tooFew > 1) {
                Mix middle = model.of((enough.replicas() + tooFew) / 2, duplicates);
                if (middle.reaches(serviceLevel)) {
                    enough = middle;
                } else {
                    tooFew = middle.replicas();
                }
            }
            fewest = Optional.of(enough);
        }
        List<Mix> alike = ofSize(fewest.orElse(closest).servers(), model, mostDuplicates);
        return new Plan(
                fewest.isEmpty()
                        ? fewest
                        : alike.stream()
                                .filter(mix -> mix.reaches(serviceLevel))
                                .findFirst(),
                alike);
    }

    private static List<Mix> ofSize(int servers, Mix.MixModel model, int mostDuplicates) {
        return IntStream.rangeClosed(1, Math.min(servers, mostDuplicates))
                .filter(duplicates -> servers % duplicates == 0)
                .mapToObj(duplicates -> model.of(servers / duplicates, duplicates))
                .sorted(BEST_FIRST)
                .toList();
    }
}
