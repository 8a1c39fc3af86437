package io.kipimo.simulator.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The built-in scenarios. */
public final class BuiltIn {
    private static final List<String> NAMES =
            List.of("ubora", "shedding", "fanout", "spare", "solr", "faults", "queue", "start");

    private BuiltIn() {}

    public static List<String> names() {
        return NAMES;
    }

    /**
     * The text of a scenario.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public static String text(String name) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException("scenario is '" + name + "'; allowed: " + String.join(", ", NAMES));
        }
        try (InputStream in = BuiltIn.class.getResourceAsStream(name + ".yaml")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A scenario, ready to run. */
    public static Scenario scenario(String name) {
        return ScenarioReader.read(text(name), file -> {
            throw new UncheckedIOException(new IOException("built-in ones name no file"));
        });
    }
}
