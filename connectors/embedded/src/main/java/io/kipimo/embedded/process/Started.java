package io.kipimo.embedded.process;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;

/** What a run has started; {@link #close} stops everything, the last first. */
public final class Started implements AutoCloseable {
    private final Deque<AutoCloseable> resources = new ConcurrentLinkedDeque<>();
    private final Consumer<String> problems;

    /** @param problems receives what goes wrong while something is stopped; the others are stopped all the same */
    public Started(Consumer<String> problems) {
        this.problems = problems;
    }

    /** Closes {@code resource} before everything that was started so far. */
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
