package io.kipimo.cli.terminal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.kipimo.schemas.document.DocumentSchema;
import io.kipimo.schemas.document.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The user's contexts: saved defaults of options, by context and option. Their file is {@code kipimo/contexts.yaml} in
 * {@code XDG_CONFIG_HOME} or {@code ~/.config}.
 */
public final class Contexts {
    /** Options that a context may set, without dashes. */
    public static final SortedSet<String> OPTIONS = Collections.unmodifiableSortedSet(new TreeSet<>(Set.of(
            "bootstrap-servers",
            "topic-prefix",
            // Its former name.
            "prefix",
            "kafka-config",
            "rest",
            "trace-link")));

    private static final List<String> VALUES = List.of("string", "number", "boolean", "null");

    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9_.-]{0,63}";

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .build();

    /**
     * Content of the contexts' file.
     *
     * @param current name of the context in use; empty: none
     */
    record ContextsContent(String current, Map<String, Map<String, String>> contexts) {
        ContextsContent {
            current = current == null ? "" : current;
            Map<String, Map<String, String>> sorted = new TreeMap<>();
            if (contexts != null) {
                contexts.forEach(
                        (name, values) -> sorted.put(name, values == null ? new TreeMap<>() : new TreeMap<>(values)));
            }
            contexts = sorted;
        }
    }

    private final Path file;
    private ContextsContent content;

    /** JSON Schema of the file. */
    public static Map<String, Object> schema() {
        Map<String, Object> options = new TreeMap<>();
        OPTIONS.forEach(option -> options.put(option, Map.of("type", VALUES)));
        List<String> object = List.of("object", "null");
        JsonObject context = new JsonObject()
                .with("additionalProperties", false)
                .with("properties", options)
                .with("type", object);
        JsonObject contexts = new JsonObject()
                .with("additionalProperties", context)
                .with("propertyNames", Map.of("pattern", "^" + NAME + "$"))
                .with("type", object);
        return new JsonObject()
                .with("$schema", DocumentSchema.DIALECT)
                .with("title", "Contexts of the command kipimo")
                .with("type", "object")
                .with("properties", new JsonObject().with("contexts", contexts).with("current", Map.of("type", VALUES)))
                .with("additionalProperties", false);
    }

    private Contexts(Path file, ContextsContent content) {
        this.file = file;
        this.content = content;
    }

    /**
     * Reads the user's file. A missing file means that there are no contexts.
     *
     * @throws InputException if the file cannot be read
     */
    public static Contexts read() {
        return read(file(System.getenv(), System.getProperty("user.home")));
    }

    static Path file(Map<String, String> environment, String home) {
        String configured = environment.get("XDG_CONFIG_HOME");
        Path directory = configured == null || configured.isBlank() ? Path.of(home, ".config") : Path.of(configured);
        return Path.of(System.getProperty("kipimo.contexts", directory + "/kipimo/contexts.yaml"));
    }

    static Contexts read(Path file) {
        try {
            String text = Files.readString(file);
            ContextsContent read = text.isBlank() ? null : YAML.readValue(text, ContextsContent.class);
            ContextsContent content = read == null ? new ContextsContent("", null) : read;
            content.contexts().values().forEach(c -> c.keySet().forEach(Contexts::checkOption));
            return new Contexts(file, content);
        } catch (NoSuchFileException e) {
            return new Contexts(file, new ContextsContent("", null));
        } catch (UnrecognizedPropertyException e) {
            throw new InputException(file + ": " + e.getPropertyName() + " is unknown; allowed: current, contexts");
        } catch (MismatchedInputException e) {
            throw new InputException(file
                    + Plain.where(e)
                    + ": does not fit; allowed: current: NAME, contexts: {NAME: {OPTION: VALUE}}");
        } catch (JsonProcessingException e) {
            throw new InputException(file + Plain.where(e) + ": " + Plain.what(e));
        } catch (IOException e) {
            throw new InputException(file + " cannot be read: " + Plain.text(e.toString()));
        }
    }

    /**
     * Returns an option's default from the context that applies; empty if no context applies, or it does not set the
     * option.
     *
     * @param spec command that has the option
     * @throws InputException if the named context does not exist
     */
    public static Optional<String> value(CommandSpec spec, String option) {
        Optional<String> named = GlobalOptions.of(spec).context();
        Contexts contexts = read();
        String name = named.orElse(contexts.content.current());
        if (name.isEmpty()) {
            return Optional.empty();
        }
        return Optional.ofNullable(contexts.get(name).get(option));
    }

    /** Name of the context in use; empty: none. */
    public Optional<String> current() {
        return Optional.of(content.current()).filter(name -> !name.isEmpty());
    }

    /** Values of all contexts, by context and then by option. */
    public Map<String, Map<String, String>> all() {
        return content.contexts();
    }

    /** @throws InputException if there is no context of this name */
    public Map<String, String> get(String name) {
        Map<String, String> found = content.contexts().get(name);
        InputException.throwIf(
                found == null,
                "there is no context '%s'; there are: %s"
                        .formatted(
                                name,
                                content.contexts().isEmpty()
                                        ? "none"
                                        : String.join(", ", content.contexts().keySet())));
        return found;
    }

    /**
     * Adds a context, or changes its values. An empty value removes the option. The first context is in use at once.
     */
    public void set(String name, Map<String, String> values) {
        InputException.throwIf(
                !name.matches(NAME),
                "name of the context is '" + name + "'; allowed: letters, digits, '_', '.', '-', at most 64");
        values.keySet().forEach(Contexts::checkOption);
        Map<String, String> all = content.contexts().computeIfAbsent(name, n -> new TreeMap<>());
        values.forEach((option, value) -> {
            if (value.isEmpty()) {
                all.remove(option);
            } else {
                all.put(option, value);
            }
        });
        if (content.current().isEmpty()) {
            content = new ContextsContent(name, content.contexts());
        }
    }

    /** Puts a context in use. */
    public void use(String name) {
        get(name);
        content = new ContextsContent(name, content.contexts());
    }

    /** Removes a context. If it was in use, no context is in use. */
    public void remove(String name) {
        get(name);
        content.contexts().remove(name);
        if (content.current().equals(name)) {
            content = new ContextsContent("", content.contexts());
        }
    }

    /** Replaces the file atomically. */
    public void write() {
        try {
            Files.createDirectories(file.getParent());
            Path fresh = Files.createTempFile(file.getParent(), "contexts", ".yaml");
            Files.writeString(fresh, YAML.writeValueAsString(content));
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new InputException(file + " cannot be written: " + Plain.text(e.toString()));
        }
    }

    private static void checkOption(String option) {
        InputException.throwIf(
                !OPTIONS.contains(option),
                "option of a context is '" + option + "'; allowed: " + String.join(", ", OPTIONS));
    }
}
