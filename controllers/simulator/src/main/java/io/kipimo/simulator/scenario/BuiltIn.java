package io.kipimo.simulator.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The built-in scenarios. */
public final class BuiltIn {
    private static final List<String> NAMES =
            List.of("ubora", "shedding", "fanout", "spare", "solr", "faults", "queue", "start", "step");

    private static final List<String> CACHING_NAMES = List.of("caching", "purges");

    private BuiltIn() {}

    /** Names of the scenarios of services. */
    public static List<String> names() {
        return NAMES;
    }

    /** Names of the scenarios of caches. */
    public static List<String> cachingNames() {
        return CACHING_NAMES;
    }

    /** Names of all scenarios. */
    public static List<String> allNames() {
        return Stream.concat(NAMES.stream(), CACHING_NAMES.stream()).toList();
    }

    /**
     * The text of a scenario.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public static String text(String name) {
        if (!allNames().contains(name)) {
            throw new IllegalArgumentException("scenario is '" + name + "'; allowed: " + String.join(", ", allNames()));
        }
        try (InputStream in = BuiltIn.class.getResourceAsStream(name + ".yaml")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A scenario of a service, ready to run. */
    public static Scenario scenario(String name) {
        return scenario(name, UnaryOperator.identity());
    }

    /** Returns a scenario of a service, ready to run, after a change to its text. */
    public static Scenario scenario(String name, UnaryOperator<String> change) {
        return ScenarioReader.read(change.apply(text(name)), file -> {
            throw new UncheckedIOException(new IOException("built-in ones name no file"));
        });
    }
}
