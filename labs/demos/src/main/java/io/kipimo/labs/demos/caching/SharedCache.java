package io.kipimo.labs.demos.caching;

import io.kipimo.caching.purge.CacheKind;
import java.net.URI;

/** A running HTTP cache in front of an origin. */
record SharedCache(URI address, CacheKind kind, Runnable stop) implements AutoCloseable {
    @Override
    public void close() {
        stop.run();
    }
}
