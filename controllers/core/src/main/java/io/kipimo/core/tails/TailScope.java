package io.kipimo.core.tails;

import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.Vantage;
import java.util.Optional;

/**
 * Scope of tail statistics: a service or a part of it.
 *
 * @param tier empty at level SERVICE
 * @param component empty above level COMPONENT, and at level ARBITER
 * @param server empty above level SERVER, and at level ARBITER
 */
public record TailScope(TailLevel level, String service, String tier, String component, String server) {

    public static TailScope service(String service) {
        return new TailScope(TailLevel.SERVICE, service, "", "", "");
    }

    public static TailScope tier(String service, String tier) {
        return new TailScope(TailLevel.TIER, service, tier, "", "");
    }

    /** A tier as measured by its arbiters. */
    public static TailScope arbiters(String service, String tier) {
        return new TailScope(TailLevel.ARBITER, service, tier, "", "");
    }

    public static TailScope component(String service, String tier, String component) {
        return new TailScope(TailLevel.COMPONENT, service, tier, component, "");
    }

    public static TailScope server(String service, String tier, String component, String server) {
        return new TailScope(TailLevel.SERVER, service, tier, component, server);
    }

    /** Sender of an observation: a server or, with component and server named, one of a tier's arbiters. */
    public static TailScope of(ServerObservation observation) {
        return new TailScope(
                observation.vantage() == Vantage.ARBITER ? TailLevel.ARBITER : TailLevel.SERVER,
                observation.service(),
                observation.tier(),
                observation.component(),
                observation.server());
    }

    /** The scope that this one is merged into; empty if there is none. */
    public Optional<TailScope> whole() {
        return switch (level) {
            case SERVER -> Optional.of(component(service, tier, component));
            case COMPONENT -> Optional.of(tier(service, tier));
            case TIER -> Optional.of(service(service));
            case SERVICE -> Optional.empty();
            case ARBITER -> isSingleArbiter() ? Optional.of(arbiters(service, tier)) : Optional.empty();
        };
    }

    /** Whether this is one arbiter. It has no statistics of its own, only as a part of its tier's. */
    public boolean isSingleArbiter() {
        return level == TailLevel.ARBITER && !server.isEmpty();
    }

    /** The scope as a text that {@link #ofKey} reads. */
    public String key() {
        return level.name() + '/' + service + '/' + tier + '/' + component + '/' + server;
    }

    public static TailScope ofKey(String key) {
        String[] names = key.split("/", -1);
        return new TailScope(TailLevel.valueOf(names[0]), names[1], names[2], names[3], names[4]);
    }
}
