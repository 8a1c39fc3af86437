package io.kipimo.console.server;

import java.util.Optional;

/** The content of the page, as UTF-8 JSON. Several threads call the methods. */
public interface Content {
    /** All data of all services. */
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

    /** A number that increases with every change. While it stays equal, unchanged content is not rendered again. */
    long version();
}
