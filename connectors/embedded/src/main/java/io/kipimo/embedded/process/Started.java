package io.kipimo.embedded.process;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;

/** Collects the resources that a run has started. {@link #close} stops all of them, the last started first. */
public final class Started implements AutoCloseable {
    private final Deque<AutoCloseable> resources = new ConcurrentLinkedDeque<>();
    private final Consumer<String> problems;

    /**
     * @param problems receives a message if a resource cannot be stopped; the remaining resources are stopped all the
     *     same
     */
    public Started(Consumer<String> problems) {
        this.problems = problems;
    }

    /** Adds a resource and returns it. {@link #close} will close it before everything that was started before. */
    public <T extends AutoCloseable> T keep(T resource) {
        resources.push(resource);
        return resource;
    }

    @Override
    public void close() {
        while (!resources.isEmpty()) {
            try {
                resources.pop().close();
            } catch (Exception e) {
                problems.accept("while stopping: " + e.getMessage());
            }
        }
    }
}
