package io.kipimo.console.server;

import java.util.Optional;

/** Content of the page, as UTF-8 JSON. Called by several threads. */
public interface Content {
    /** Everything. */
    byte[] state();

    /** The data of all services for the first screen. */
    byte[] summary();

    /** All data of one service; empty if it is unknown. */
    Optional<byte[]> service(String name);

    /**
     * The worst measured queries of the last hour.
     *
     * @param service name; empty: all services
     * @param queryClass name; empty: all classes
     * @param limit most queries of a class
     */
    byte[] queries(Optional<String> service, Optional<String> queryClass, int limit);

    /** Metrics of the console itself, in Prometheus' text format; may be empty. */
    String metrics();

    /** Increases with every change, so that unchanged content is not rendered again. */
    long version();
}
