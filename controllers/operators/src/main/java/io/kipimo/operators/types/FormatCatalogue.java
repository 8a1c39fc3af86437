package io.kipimo.operators.types;

import io.kipimo.schemas.codec.Codecs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * Lists the formats of a package, so that they are found by name when a savepoint or a job graph is read. Catalogues
 * are named in {@code META-INF/services}, so that this package does not depend on those that use it. The formats of
 * messages need no catalogue.
 */
public interface FormatCatalogue {
    List<Format<?>> formats();

    /**
     * Finds a format.
     *
     * @throws IllegalArgumentException if no format has the name
     */
    static Format<?> named(String name) {
        Format<?> format = LoadedFormats.BY_NAME.get(name);
        if (format == null) {
            throw new IllegalArgumentException("no format has the name '" + name + "'");
        }
        return format;
    }

    /** All formats of the class path, read once. */
    final class LoadedFormats {
        private static final Map<String, Format<?>> BY_NAME = load();

        private LoadedFormats() {}

        private static Map<String, Format<?>> load() {
            Map<String, Format<?>> all = new HashMap<>();
            Codecs.all().forEach(codec -> add(Format.ofMessage(codec), all));
            ServiceLoader.load(FormatCatalogue.class, FormatCatalogue.class.getClassLoader())
                    .forEach(catalogue -> catalogue.formats().forEach(f -> add(f, all)));
            return Map.copyOf(all);
        }

        private static void add(Format<?> format, Map<String, Format<?>> all) {
            if (all.put(format.name(), format) != null) {
                throw new IllegalStateException("two formats are named " + format.name());
            }
        }
    }
}
