package io.kipimo.caching.changes;

import io.kipimo.http.BearerToken;
import io.kipimo.http.Cors;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of a {@link ChangeServer}.
 *
 * @param streams most open streams, 1..100,000
 * @param history most notifications that readers who come back can still get, 1..10,000,000
 * @param heartbeatMillis greatest time between two events of a stream, 100..3,600,000
 * @param origins of pages that may read the streams beside the server's own, as {@link Cors} has them
 * @param token that clients must have, in the header Authorization or in the address; empty: they need none
 */
public record ChangeSettings(
        int streams, int history, long heartbeatMillis, Set<String> origins, Optional<BearerToken> token) {
    public static final ChangeSettings DEFAULT = new ChangeSettings(1_000, 10_000, 15_000, Set.of(), Optional.empty());

    /** @throws IllegalArgumentException if a value is out of range */
    public ChangeSettings {
        check("streams", streams, 1, 100_000);
        check("history", history, 1, 10_000_000);
        check("heartbeat", heartbeatMillis, 100, 3_600_000);
        origins = new Cors(origins, List.of(), List.of()).origins();
    }

    Cors cors() {
        return new Cors(origins, List.of("Authorization", "Last-Event-ID"), List.of());
    }

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: " + least + ".." + most);
        }
    }
}
