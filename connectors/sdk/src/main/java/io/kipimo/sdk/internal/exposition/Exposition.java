package io.kipimo.sdk.internal.exposition;

import java.util.LinkedHashMap;
import java.util.Map;

/** Writes metrics in Prometheus' text format, version 0.0.4. */
public final class Exposition {
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final Map<String, StringBuilder> families = new LinkedHashMap<>();

    /** Adds a sample of a counter, which only grows. */
    public Exposition counter(String name, String help, long value, String... labels) {
        return sample(name, help, "counter", Long.toString(value), labels);
    }

    /** Adds a sample of a gauge, which may go up and down. */
    public Exposition gauge(String name, String help, double value, String... labels) {
        return sample(name, help, "gauge", text(value), labels);
    }

    private Exposition sample(String name, String help, String type, String value, String... labels) {
        StringBuilder family = families.computeIfAbsent(name, n -> new StringBuilder()
                .append("# HELP ")
                .append(n)
                .append(' ')
                .append(help)
                .append("\n# TYPE ")
                .append(n)
                .append(' ')
                .append(type)
                .append('\n'));
        family.append(name);
        for (int i = 0; i < labels.length; i += 2) {
            family.append(i == 0 ? '{' : ',')
                    .append(labels[i])
                    .append("=\"")
                    .append(labels[i + 1]
                            .replace("\\", "\\\\")
                            .replace("\"", "\\\"")
                            .replace("\n", "\\n"))
                    .append('"');
        }
        family.append(labels.length > 0 ? "} " : " ").append(value).append('\n');
        return this;
    }

    private static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    @Override
    public String toString() {
        return String.join("", families.values());
    }
}
