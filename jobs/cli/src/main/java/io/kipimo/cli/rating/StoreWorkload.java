package io.kipimo.cli.rating;

import io.kipimo.loadgen.workload.Target;

/**
 * A workload on a data store, for the commands {@code rate} and {@code loadgen}. {@link java.util.ServiceLoader} finds
 * it. Its fields with picocli's annotations become options of these commands.
 */
public interface StoreWorkload {
    /** @param scheme scheme of the store's address, in lower case */
    boolean takes(String scheme);

    /**
     * Returns the workload on a store. The workload connects at first use.
     *
     * @param connections number of connections to the store, and so the most concurrent actions
     * @throws IllegalArgumentException naming the invalid option
     */
    Target target(String url, int connections);
}
