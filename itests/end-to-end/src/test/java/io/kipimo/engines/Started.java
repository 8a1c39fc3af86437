package io.kipimo.engines;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a test has started. Closing it closes all of it, the last one first. */
final class Started implements AutoCloseable {
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable part : parts) {
            part.close();
        }
    }
}
