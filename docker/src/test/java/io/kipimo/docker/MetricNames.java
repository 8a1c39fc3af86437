package io.kipimo.docker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.CheckpointStatsTracker;

/** Finds out whether the metrics of an expression exist. */
final class MetricNames {
    private static final Pattern NAME = Pattern.compile("\\b(?:flink|kipimo)_\\w+");
    private static final String ADAPTER = "kipimo_";
    private static final String IN_GROUP = "kipimo_";
    private static final Set<String> LABELS = Set.of("kipimo_gateway", "kipimo_haproxy");

    private final String sources = sources();
    private final Set<String> flinks = flinks();
    private final Set<String> recorded = recorded();

    /** All metrics that an expression names. */
    static Set<String> in(String expression) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = NAME.matcher(expression.replaceAll("\"[^\"]*\"", "\"\""));
        while (matcher.find()) {
            names.add(matcher.group());
        }
        names.removeAll(LABELS);
        return names;
    }

    boolean exists(String name) {
        if (name.startsWith(ADAPTER)) {
            return recorded.contains(name) || ofAdapter(name);
        }
        int group = name.indexOf(IN_GROUP);
        String[] words = name.split("_");
        String last = words[words.length - 1];
        if (group < 0) {
            return flinks.contains(last);
        }
        // Groups and names are string literals in the code, or constants of an enum.
        return Arrays.stream(name.substring(group + IN_GROUP.length()).split("_"))
                .allMatch(word -> sources.contains('"' + word + '"')
                        || isConstant(word.replaceAll("(?=[A-Z])", "_").toUpperCase(Locale.ROOT)));
    }

    private boolean isConstant(String name) {
        return Pattern.compile("(?m)^ +" + name + "[,;(]").matcher(sources).find();
    }

    /** Some pages combine names from a prefix and a word, or from an enum. */
    private boolean ofAdapter(String name) {
        if (sources.contains('"' + name) || sources.contains(name + ' ')) {
            return true;
        }
        String[] parts = name.split("_", 3);
        String rest = parts[2];
        String event = rest.replaceFirst("_total$", "").toUpperCase(Locale.ROOT);
        return sources.contains("\"kipimo_" + parts[1] + "_\"")
                && (sources.contains('"' + rest + '"') || sources.contains('"' + rest + '{') || isConstant(event));
    }

    /** Names that recording rules give to metrics of jobs. */
    private static Set<String> recorded() {
        return Pattern.compile("(?m)^ *- record: (\\w+)$")
                .matcher(Repository.text(Repository.DOCKER.resolve("prometheus/alerts.yml")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }

    private static String sources() {
        return javaOf("controllers") + "\n" + javaOf("connectors") + "\n" + javaOf("jobs");
    }

    private static String javaOf(String directory) {
        try (Stream<Path> files = Files.walk(Repository.ROOT.resolve(directory))) {
            return files.filter(file -> file.toString().contains("/src/main/java/"))
                    .filter(file -> file.toString().endsWith(".java"))
                    .map(Repository::text)
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> flinks() {
        Set<String> names = new TreeSet<>();
        for (Class<?> type : Set.of(
                org.apache.flink.runtime.metrics.MetricNames.class,
                org.apache.flink.runtime.executiongraph.metrics.DownTimeGauge.class,
                checkpointStatistics())) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
                    field.setAccessible(true);
                    try {
                        names.add((String) field.get(null));
                    } catch (IllegalAccessException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }
        return names;
    }

    /** Reads the names from the class that registers them in this Flink version. */
    private static Class<?> checkpointStatistics() {
        try {
            return Class.forName(CheckpointStatsTracker.class.getPackageName() + ".DefaultCheckpointStatsTracker");
        } catch (ClassNotFoundException e) {
            return CheckpointStatsTracker.class;
        }
    }
}
