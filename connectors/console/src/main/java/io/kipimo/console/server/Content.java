package io.kipimo.console.server;

import java.util.Optional;

/** What the server shows, as UTF-8 JSON; called by several threads. */
public interface Content {
    /** Everything. */
    byte[] state();

    /** What the first screen needs of every service. */
    byte[] summary();

    /** All of one service; empty if it is not known. */
    Optional<byte[]> service(String name);

    /** Figures about the console itself, in the text format of Prometheus; may be empty. */
    String metrics();

    /** Rises with every change, so that nothing is written twice for nothing. */
    long version();
}
