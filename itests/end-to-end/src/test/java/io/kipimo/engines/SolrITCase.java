package io.kipimo.engines;

import io.kipimo.core.Effort;
import java.util.List;

/**
 * As often as {@code mvn verify} runs: 40 queries, of which some 30 % have a limit, on one node and without Flink.
 * {@code -Pfull} has three nodes, of which one is stopped, and the quality job.
 */
class SolrITCase extends SolrContract {
    @Override
    int queries() {
        return 40;
    }

    @Override
    int nodes() {
        return Effort.of(1, NODES);
    }

    @Override
    int documents() {
        return Effort.of(1_400, 4_000);
    }

    @Override
    int shards() {
        return Effort.of(2, SHARDS);
    }

    @Override
    boolean hasJob() {
        return Effort.of(0, 1) == 1;
    }

    /** The nodes live too short for more compilation. */
    @Override
    List<String> options() {
        return List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    }
}
