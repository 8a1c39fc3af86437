package io.kipimo.engines;

import java.io.IOException;
import java.util.List;

/** A running engine. */
interface EngineBed extends AutoCloseable {
    /** The nodes' ports. */
    List<Integer> ports();

    /** Takes a node away; its shards have no other copy. Returns when the other nodes know. */
    void stop(int node) throws IOException, InterruptedException;
}
