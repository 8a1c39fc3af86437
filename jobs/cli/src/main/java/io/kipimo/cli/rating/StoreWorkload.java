package io.kipimo.cli.rating;

import io.kipimo.loadgen.workload.Target;

/**
 * A workload on a data store, for {@code rate} and {@code loadgen}; found by {@link java.util.ServiceLoader}. Its
 * fields with picocli's annotations become options of these commands.
 */
public interface StoreWorkload {
    /** @param scheme of the store's address, in lower case */
    boolean takes(String scheme);

    /**
     * The workload on a store; it connects at first use.
     *
     * @param connections to the store, and so the most concurrent actions
     * @throws IllegalArgumentException naming the invalid option
     */
    Target target(String url, int connections);
}
