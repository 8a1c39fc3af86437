package io.kipimo.bench.report;

import io.kipimo.simulator.report.Phrase;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The machine and software on which figures were measured; the figures mean nothing without it. */
public record Environment(Map<String, Object> facts, double load, int cores) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final String MODEL = "model name";

    /** The current state of this machine. */
    public static Environment now() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        int cores = Runtime.getRuntime().availableProcessors();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("cpu", cpu());
        facts.put("cores", cores);
        facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        for (Map.Entry<String, String> library : List.of(
                Map.entry("flink", "flink-runtime"),
                Map.entry("flink-connector-kafka", "flink-connector-kafka"),
                Map.entry("kafka", "kafka-clients"),
                Map.entry("protobuf", "protobuf-java"))) {
            version(library.getValue()).ifPresent(v -> facts.put(library.getKey(), v));
        }
        facts.put("load average at start", load);
        return new Environment(facts, load, cores);
    }

    /** A warning if the environment makes the figures unreliable. */
    public Optional<String> warning() {
        return load > 0.25 * cores
                ? Optional.of(Phrase.of(
                        "the machine is busy: load average %.2f on %d cores; trust"
                                + " events/CPU-s and ratios, not events/s",
                        load, cores))
                : Optional.empty();
    }

    private static String cpu() {
        try (Stream<String> lines = Files.lines(CPU_INFO, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith(MODEL))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    /** Version of a library, from the name of its jar in the class path. */
    private static Optional<String> version(String artifact) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).getFileName().toString())
                .filter(file -> file.matches(artifact + "-\\d.*\\.jar"))
                .map(file -> file.substring(artifact.length() + 1, file.length() - ".jar".length()))
                .findFirst();
    }
}
