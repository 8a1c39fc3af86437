package io.kipimo.harness.soak;

import io.kipimo.embedded.flink.MetricsPage;
import io.kipimo.embedded.flink.StandaloneCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Figures of all TaskManagers together that must not grow, at one moment. A figure from {@code /proc} is 0 on systems
 * without it.
 */
record Vitals(Map<VitalFigure, Double> figures) {
    /** One of the figures. */
    enum VitalFigure {
        /** Bytes of the newest checkpoint. */
        STATE_BYTES(1 << 20),
        /** Used heap in bytes, including garbage. The minimum of a quarter counts. */
        HEAP_BYTES(48 << 20),
        THREADS(20),
        DESCRIPTORS(30),
        /** Number of network threads of Kafka producers. */
        PRODUCERS(2);

        private final double slack;

        VitalFigure(double slack) {
            this.slack = slack;
        }

        /** Absolute growth that is allowed in addition to the allowed relative growth. */
        double slack() {
            return slack;
        }
    }

    /** Beginning of a producer thread's name, as far as Linux keeps it. */
    private static final String PRODUCER = "kafka-producer-";

    static Vitals of(StandaloneCluster cluster) {
        MetricsPage page = cluster.metricPages();
        Map<VitalFigure, Double> figures = new EnumMap<>(VitalFigure.class);
        figures.put(VitalFigure.STATE_BYTES, page.sum("flink_jobmanager_job_lastCheckpointSize"));
        figures.put(VitalFigure.HEAP_BYTES, page.sum("flink_taskmanager_Status_JVM_Memory_Heap_Used"));
        List<Long> processes = cluster.taskManagerProcesses();
        figures.put(VitalFigure.THREADS, total(processes, "task"));
        figures.put(VitalFigure.DESCRIPTORS, total(processes, "fd"));
        figures.put(VitalFigure.PRODUCERS, (double)
                processes.stream().mapToLong(Vitals::producers).sum());
        return new Vitals(figures);
    }

    double get(VitalFigure figure) {
        return figures.get(figure);
    }

    private static double total(List<Long> processes, String directory) {
        return processes.stream()
                .mapToLong(pid -> count(Path.of("/proc", Long.toString(pid), directory)))
                .sum();
    }

    private static long count(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.count();
        } catch (IOException e) {
            return 0;
        }
    }

    private static long producers(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            return threads.filter(Vitals::isProducer).count();
        } catch (IOException e) {
            return 0;
        }
    }

    private static boolean isProducer(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).startsWith(PRODUCER);
        } catch (IOException e) {
            // The thread has ended.
            return false;
        }
    }
}
