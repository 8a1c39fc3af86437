package io.kipimo.cli.terminal;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Implementations that {@link ServiceLoader} finds. One that cannot be loaded hides no other. */
public final class PlugIns {
    private PlugIns() {}

    /** @param unusable learns what is wrong with each that cannot be loaded */
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

    /** The first that {@code wanted} accepts; later ones are not loaded. */
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
