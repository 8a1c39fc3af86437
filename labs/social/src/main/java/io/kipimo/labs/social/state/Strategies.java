package io.kipimo.labs.social.state;

import io.kipimo.labs.social.graph.SocialGraph;
import io.kipimo.labs.social.store.RedisSocialStore;
import io.kipimo.labs.social.store.SocialStore;
import java.util.List;

/** The strategies there are. */
public final class Strategies {
    private Strategies() {}

    /** Loads anew. */
    public static StateStrategy reload(SocialStore store, SocialGraph graph) {
        return log -> store.load(graph);
    }

    /** Undoes what was written; loads anew when the log could not hold that. */
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
     * Of Redis.
     *
     * @param startCommand that starts the Redis process anew on the files that it had; empty: the
     *     process is not ours to restart
     */
    public static StateStrategy of(
            StateMode.Restore way,
            RedisSocialStore store,
            SocialGraph graph,
            List<String> startCommand) {
        return switch (way) {
            case RELOAD -> reload(store, graph);
            case REPAIR -> repair(store, graph);
            case IMAGE ->
                    startCommand.isEmpty()
                            ? new DumpImage(store)
                            : new FileImage(store, startCommand);
        };
    }
}
