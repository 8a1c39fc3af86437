package io.kipimo.core.tails;

import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.Vantage;
import java.util.Optional;

/**
 * Scope of tail statistics: a service or a part of it.
 *
 * @param tier empty at level SERVICE
 * @param component empty above level COMPONENT; at level ARBITER only a single arbiter has one
 * @param server empty above level SERVER; at level ARBITER only a single arbiter has one
 */
public record TailScope(TailLevel level, String service, String tier, String component, String server) {

    public static TailScope service(String service) {
        return new TailScope(TailLevel.SERVICE, service, "", "", "");
    }

    public static TailScope tier(String service, String tier) {
        return new TailScope(TailLevel.TIER, service, tier, "", "");
    }

    /** The scope of a tier as its arbiters measure it. */
    public static TailScope arbiters(String service, String tier) {
        return new TailScope(TailLevel.ARBITER, service, tier, "", "");
    }

    public static TailScope component(String service, String tier, String component) {
        return new TailScope(TailLevel.COMPONENT, service, tier, component, "");
    }

    public static TailScope server(String service, String tier, String component, String server) {
        return new TailScope(TailLevel.SERVER, service, tier, component, server);
    }

    /**
     * Returns the scope of an observation's sender: a server, or one of a tier's arbiters. The scope of a single
     * arbiter has its component and its server.
     */
    public static TailScope of(ServerObservation observation) {
        return new TailScope(
                observation.vantage() == Vantage.ARBITER ? TailLevel.ARBITER : TailLevel.SERVER,
                observation.service(),
                observation.tier(),
                observation.component(),
                observation.server());
    }

    /** Returns the scope into which this one is merged; empty if there is none. */
    public Optional<TailScope> whole() {
        return switch (level) {
            case SERVER -> Optional.of(component(service, tier, component));
            case COMPONENT -> Optional.of(tier(service, tier));
            case TIER -> Optional.of(service(service));
            case SERVICE -> Optional.empty();
            case ARBITER -> isSingleArbiter() ? Optional.of(arbiters(service, tier)) : Optional.empty();
        };
    }

    /**
     * Whether this is a single arbiter. A single arbiter has no statistics of its own; its figures are a part of its
     * tier's.
     */
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
