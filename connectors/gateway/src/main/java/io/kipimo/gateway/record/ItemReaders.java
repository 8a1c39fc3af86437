package io.kipimo.gateway.record;

import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.config.ItemsConfig;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.grpc.GrpcMessages;
import io.kipimo.schemas.document.InvalidDocumentException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The readers of a gateway's listeners. */
public final class ItemReaders {
    private static final Logger LOG = LoggerFactory.getLogger(ItemReaders.class);

    private final Map<String, ResponseReader> byListener;

    private ItemReaders(Map<String, ResponseReader> byListener) {
        this.byListener = byListener;
    }

    /**
     * Finds all readers that the configuration names.
     *
     * @throws InvalidDocumentException that lists every missing reader
     */
    public static ItemReaders of(GatewayConfig config) {
        return of(config, ItemReader.class.getClassLoader());
    }

    /**
     * Finds all readers that the configuration names, also among users' own classes. A reader is named by its
     * {@link ItemReader#name}, if {@link ServiceLoader} finds it, or by its class.
     *
     * @param classes class loader that has the readers, and this class
     */
    public static ItemReaders of(GatewayConfig config, ClassLoader classes) {
        Map<String, ItemReader> found = named(classes);
        Map<String, ResponseReader> byListener = new HashMap<>();
        List<String> problems = new ArrayList<>();
        for (ListenerConfig listener : config.listeners()) {
            listener.items().ifPresent(items -> {
                ItemReader reader =
                        switch (items.reader()) {
                            case ItemsConfig.JSON -> new JsonItems(items);
                            case ItemsConfig.JAVABIN -> new JavabinItems(items);
                            default -> found.get(items.reader());
                        };
                try {
                    if (reader == null) {
                        reader = ofClass(items.reader(), classes);
                    }
                } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
                    problems.add("items.reader of "
                            + listener.name()
                            + " is '"
                            + items.reader()
                            + "', "
                            + why(e)
                            + "; allowed: json, javabin, "
                            + found.keySet()
                            + ", or the name of a class in --extra-classpath");
                }
                byListener.put(
                        listener.name(),
                        new ResponseReader(
                                reader,
                                items,
                                listener.engine(),
                                new Demands(
                                        items,
                                        listener.index(),
                                        messages(listener, problems),
                                        listener.replay()
                                                .filter(r -> r.ofClean() > 0)
                                                .isPresent()),
                                config.record().bodyBytes(),
                                new Complaints(listener.name(), LOG::warn, System::nanoTime)));
            });
        }
        if (!problems.isEmpty()) {
            throw new InvalidDocumentException(problems);
        }
        return new ItemReaders(byListener);
    }

    private static Optional<GrpcMessages> messages(ListenerConfig listener, List<String> problems) {
        try {
            return listener.grpc().map(GrpcMessages::of);
        } catch (IllegalArgumentException e) {
            problems.add("engine of " + listener.name() + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private static Map<String, ItemReader> named(ClassLoader classes) {
        Map<String, ItemReader> found = new TreeMap<>();
        try {
            ServiceLoader.load(ItemReader.class, classes).forEach(reader -> found.put(reader.name(), reader));
        } catch (ServiceConfigurationError e) {
            throw new InvalidDocumentException(
                    List.of("a reader in META-INF/services cannot be used: " + e.getMessage()));
        }
        return found;
    }

    private static ItemReader ofClass(String name, ClassLoader classes) throws ReflectiveOperationException {
        return Class.forName(name, true, classes)
                .asSubclass(ItemReader.class)
                .getConstructor()
                .newInstance();
    }

    private static String why(Throwable e) {
        return e instanceof ClassNotFoundException
                ? "which is neither a known reader nor a class"
                : "which cannot be used: " + e;
    }

    Optional<ResponseReader> of(ListenerConfig listener) {
        return Optional.ofNullable(byListener.get(listener.name()));
    }
}
