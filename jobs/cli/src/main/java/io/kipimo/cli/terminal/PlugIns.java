package io.kipimo.cli.terminal;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Loads implementations that {@link ServiceLoader} finds. An implementation that cannot be loaded does not hide others.
 */
public final class PlugIns {
    private PlugIns() {}

    /**
     * Loads all implementations.
     *
     * @param unusable receives a message for each implementation that cannot be loaded
     */
    public static <T> List<T> all(Class<T> kind, Consumer<String> unusable) {
        List<T> all = new ArrayList<>();
        var none = first(
                kind,
                plugIn -> {
                    all.add(plugIn);
                    return false;
                },
                unusable);
        return all;
    }

    /**
     * Returns the first implementation that {@code wanted} accepts. Later ones are not loaded.
     *
     * @param unusable receives a message for each implementation that cannot be loaded
     */
    public static <T> Optional<T> first(Class<T> kind, Predicate<T> wanted, Consumer<String> unusable) {
        Iterator<T> plugIns = ServiceLoader.load(kind).iterator();
        while (true) {
            try {
                if (!plugIns.hasNext()) {
                    return Optional.empty();
                }
                T plugIn = plugIns.next();
                if (wanted.test(plugIn)) {
                    return Optional.of(plugIn);
                }
            } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
                unusable.accept(String.valueOf(e.getMessage()));
            }
        }
    }
}
