package io.kipimo.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Writes what each test class costs to {@code target/test-costs.tsv}: class, wall time, processor time of this JVM and
 * of the processes that it started, both in milliseconds, and when this JVM started. A class that two engines run has
 * two lines. {@code .ci/test-costs} prints the table of the whole build.
 */
public final class ClassCosts implements TestExecutionListener {
    private static final Path FILE = Path.of("target", "test-costs.tsv");

    /** User and system time of ended children, counted from behind the name (proc(5)); in hundredths of a second. */
    private static final int CHILDREN_USER = 13;

    private static final int MILLIS_OF_A_TICK = 10;

    /** Of the classes that run, by unique id. */
    private final Map<String, Cost> running = new HashMap<>();

    /** Processor time until the last change of {@link #running}. */
    private double chargedMillis;

    private static final class Cost {
        final long beganNanos = System.nanoTime();
        double processorMillis;
    }

    /** Classes that run side by side share what was used meanwhile. */
    private void charge() {
        double now = ownMillis() + childrenMillis();
        running.values().forEach(cost -> cost.processorMillis += (now - chargedMillis) / running.size());
        chargedMillis = now;
    }

    private static long ownMillis() {
        var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        return Duration.ofNanos(system.getProcessCpuTime()).toMillis();
    }

    /** Children that live are asked; of those that ended, Linux alone tells. */
    private static long childrenMillis() {
        long living = ProcessHandle.current()
                .descendants()
                .mapToLong(child ->
                        child.info().totalCpuDuration().map(Duration::toMillis).orElse(0L))
                .sum();
        try {
            String line = Files.readString(Path.of("/proc/self/stat"));
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
            return living
                    + (Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_USER + 1]))
                            * MILLIS_OF_A_TICK;
        } catch (NoSuchFileException e) {
            return living;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A nested class is a part of its outer one. */
    private static boolean isClass(TestIdentifier test) {
        return test.getSource().orElse(null) instanceof ClassSource of
                && !of.getClassName().contains("$");
    }

    @Override
    public synchronized void executionStarted(TestIdentifier test) {
        if (isClass(test)) {
            charge();
            running.put(test.getUniqueId(), new Cost());
        }
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (!running.containsKey(test.getUniqueId())) {
            return;
        }
        charge();
        Cost cost = running.remove(test.getUniqueId());
        String name = ((ClassSource) test.getSource().orElseThrow()).getClassName();
        try {
            Files.createDirectories(FILE.getParent());
            Files.writeString(
                    FILE,
                    "%s\t%d\t%d\t%d%n"
                            .formatted(
                                    name,
                                    Duration.ofNanos(System.nanoTime() - cost.beganNanos)
                                            .toMillis(),
                                    Math.round(cost.processorMillis),
                                    ManagementFactory.getRuntimeMXBean().getStartTime()),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
