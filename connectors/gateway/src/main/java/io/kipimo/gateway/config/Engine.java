package io.kipimo.gateway.config;

import io.kipimo.schemas.document.Section;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A search engine whose answers show whether they are whole. Its preset says where the items are, how an answer shows
 * that its work was cut short, what a request can hide, and how a query is run again without its limit. The shipped
 * presets are the files of resource folder {@code engines}; a gateway's file may have others in {@code engines}.
 *
 * @param name of the engine, and of the component that stands for the whole engine in measurements
 * @param shards how its answers name missing parts
 * @param only paths of queries
 * @param index how its API is asked for the settings of an index; empty: it is not asked
 * @param counter its own counter of queries; empty: it has none
 * @param grpc descriptors of its gRPC calls, a name that {@code GrpcMessages} knows; empty: it is asked in JSON
 * @param cannotUndo reasons why a replay may also lack results, each a sentence
 */
public record Engine(
        String name,
        Shards shards,
        List<PathRule> only,
        ItemsConfig items,
        ReplayConfig replay,
        Optional<IndexConfig> index,
        Optional<CounterConfig> counter,
        Optional<String> grpc,
        List<String> cannotUndo) {
    /** Preset {@code json}, for any other engine: the configuration gives all parts. */
    static final Engine BASE = new Engine(
            "json",
            Shards.UNNAMED,
            List.of(),
            ItemsConfigBuilder.builder(ItemsConfig.of(ItemsConfig.JSON, "", "id", "score", List.of()))
                    .order(ItemsConfig.Order.PLACE)
                    .build(),
            ReplayConfig.DEFAULT,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of());

    /** Form in which answers name missing parts. */
    public enum Shards {
        /** Answers do not name missing parts. */
        UNNAMED,
        /** OpenSearch and Elasticsearch: in {@code _shards.failures} and {@code _clusters.details}. */
        HITS,
        /** Solr: in {@code shards.info} and {@code partialResultsDetails}. */
        SOLR
    }

    /** The shipped engines by name. */
    private static final Map<String, Engine> SHIPPED = shipped();

    public Engine {
        only = List.copyOf(only);
        cannotUndo = List.copyOf(cannotUndo);
    }

    static Map<String, Engine> all() {
        return SHIPPED;
    }

    /** Names of the shipped engines. */
    public static Set<String> names() {
        return SHIPPED.keySet();
    }

    /**
     * A shipped engine.
     *
     * @throws IllegalArgumentException if none has this name
     */
    public static Engine of(String name) {
        Engine engine = SHIPPED.get(name);
        if (engine == null) {
            throw new IllegalArgumentException(
                    "engine '" + name + "'; allowed: " + String.join(", ", SHIPPED.keySet()));
        }
        return engine;
    }

    public String component() {
        return name;
    }

    private static Map<String, Engine> shipped() {
        Map<String, Engine> engines = new TreeMap<>(Map.of(BASE.name(), BASE));
        for (String file : files()) {
            String name = file.replaceFirst("\\.yaml$", "");
            try (InputStream in = Engine.class.getResourceAsStream("/engines/" + file)) {
                String yaml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                engines.put(
                        name,
                        Section.read(Section.tree(yaml), ConfigFile.KEYS, section -> ConfigFile.preset(name, section)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return engines;
    }

    /** Names of the preset files in the folder or JAR that this class comes from. */
    private static List<String> files() {
        try {
            Path home = Path.of(Engine.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (Files.isDirectory(home)) {
                return names(home.resolve("engines"));
            }
            try (FileSystem jar = FileSystems.newFileSystem(home)) {
                return names(jar.getPath("/engines"));
            }
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }
}
