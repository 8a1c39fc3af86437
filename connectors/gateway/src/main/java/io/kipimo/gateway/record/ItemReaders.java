package io.kipimo.gateway.record;

import io.kipimo.gateway.config.BadConfigException;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.config.ItemsConfig;
import io.kipimo.gateway.config.ListenerConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The readers of a gateway's listeners. */
public final class ItemReaders {
    private final Map<String, ResponseReader> byListener;

    private ItemReaders(Map<String, ResponseReader> byListener) {
        this.byListener = byListener;
    }

    /**
     * Finds all readers that the configuration names.
     *
     * @throws BadConfigException that lists every missing reader
     */
    public static ItemReaders of(GatewayConfig config) {
        Map<String, ItemReader> found = new TreeMap<>();
        ServiceLoader.load(ItemReader.class).forEach(reader -> found.put(reader.name(), reader));
        Map<String, ResponseReader> byListener = new HashMap<>();
        List<String> problems = new ArrayList<>();
        for (ListenerConfig listener : config.listeners()) {
            listener.items()
                    .ifPresent(
                            items -> {
                                ItemReader reader =
                                        items.reader().equals(ItemsConfig.JSON)
                                                ? new JsonItems(items)
                                                : found.get(items.reader());
                                if (reader == null) {
                                    problems.add(
                                            "items.reader of "
                                                    + listener.name()
                                                    + " is '"
                                                    + items.reader()
                                                    + "'; allowed: json, "
                                                    + found.keySet());
                                }
                                byListener.put(
                                        listener.name(),
                                        new ResponseReader(
                                                reader,
                                                new CutSigns(items.cutWhen(), items.needs()),
                                                listener.engine(),
                                                config.record().bodyBytes()));
                            });
        }
        if (!problems.isEmpty()) {
            throw new BadConfigException(problems);
        }
        return new ItemReaders(byListener);
    }

    Optional<ResponseReader> of(ListenerConfig listener) {
        return Optional.ofNullable(byListener.get(listener.name()));
    }
}
