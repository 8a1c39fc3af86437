package io.kipimo.labs.social.state;

import io.kipimo.labs.social.graph.SocialGraph;
import io.kipimo.labs.social.store.RedisSocialStore;
import io.kipimo.labs.social.store.SocialStore;
import java.util.List;

/** Makes the strategies to restore a store. */
public final class Strategies {
    private Strategies() {}

    /** A strategy that loads the graph again. */
    public static StateStrategy reload(SocialStore store, SocialGraph graph) {
        return log -> store.load(graph);
    }

    /** A strategy that undoes the writes. It loads the graph again if the log has overflowed. */
    public static StateStrategy repair(RedisSocialStore store, SocialGraph graph) {
        return log -> {
            if (log.isOverflown()) {
                store.load(graph);
            } else {
                store.repair(graph, log);
            }
        };
    }

    /**
     * The strategy for Redis that restores in a given way.
     *
     * @param startCommand starts the Redis process with its previous files; empty: Kipimo cannot restart it
     */
    public static StateStrategy of(
            StateMode.Restore way, RedisSocialStore store, SocialGraph graph, List<String> startCommand) {
        return switch (way) {
            case RELOAD -> reload(store, graph);
            case REPAIR -> repair(store, graph);
            case IMAGE -> startCommand.isEmpty() ? new DumpImage(store) : new FileImage(store, startCommand);
        };
    }
}
