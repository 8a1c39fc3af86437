package io.kipimo.operators.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.execution.CancelTaskException;
import org.apache.flink.util.FlinkRuntimeException;
import org.junit.jupiter.api.Test;

class IsolationTest {
    private static final Path SOURCES = Path.of("src/main/java/io/kipimo/operators");

    /**
     * Operators that need none: the join and its gates have their own, the notifier and the batches look at no content,
     * a share of degraded measurements is chosen by id.
     */
    private static final Set<String> OTHERS =
            Set.of("QueryJoinOperator", "NotifierOperator", "MiniBatchOperator", "DegradedShareFunction");

    /** Counters by the names of their groups. */
    private static final class Counters extends UnregisteredMetricsGroup {
        private final Map<String, Counter> counters;
        private final String path;

        Counters(Map<String, Counter> counters, String path) {
            this.counters = counters;
            this.path = path;
        }

        @Override
        public MetricGroup addGroup(String name) {
            return new Counters(counters, path + name + '/');
        }

        @Override
        public MetricGroup addGroup(String key, String value) {
            return new Counters(counters, path + key + '=' + value + '/');
        }

        @Override
        public Counter counter(String name) {
            return counters.computeIfAbsent(path + name, n -> super.counter(name));
        }
    }

    private final Map<String, Counter> counters = new HashMap<>();
    private final Isolation isolation = new Isolation(new Counters(counters, ""));

    private Map<String, Long> counts() {
        return counters.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().getCount()));
    }

    @Test
    void aFailureOfDataIsCountedForItsServiceAndGoesNoFurther() throws Exception {
        assertThat(isolation.run("shop/high", () -> {})).isTrue();
        assertThat(counts()).isEmpty();
        for (int i = 0; i < 3; i++) {
            assertThat(isolation.run("bad/high", () -> {
                        throw new ArithmeticException("long overflow");
                    }))
                    .isFalse();
        }
        assertThat(counts()).isEqualTo(Map.of("kipimo/service=bad/failedSteps", 3L));
    }

    @Test
    void failuresOfFlinkRestartTheJob() {
        List<Exception> platform = List.of(
                new FlinkRuntimeException("state"),
                new UncheckedIOException(new IOException("network")),
                new CancelTaskException(),
                new IOException("checkpoint"),
                new InterruptedException());
        for (Exception failure : platform) {
            assertThatThrownBy(() -> isolation.run("shop", () -> {
                        throw failure;
                    }))
                    .isSameAs(failure);
        }
        assertThat(counts()).isEmpty();
    }

    @Test
    void inventedServicesDoNotFillTheRegistry() throws Exception {
        for (int i = 0; i < 5_000; i++) {
            isolation.run("invented-" + i, () -> {
                throw new IllegalStateException();
            });
        }
        assertThat(counts()).hasSizeLessThanOrEqualTo(1_001);
        assertThat(counts().get("kipimo/service=others/failedSteps")).isEqualTo(4_000);
    }

    /** A new operator needs this, too, or a reason. */
    @Test
    void everyOperatorOfThisModuleIsolatesItsSteps() throws Exception {
        Set<String> without = new TreeSet<>();
        try (var files = Files.walk(SOURCES)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                String text = Files.readString(file);
                boolean isOperator = (text.contains("ProcessFunction<") && text.contains("extends"))
                        || text.contains("OneInputStreamOperator<")
                        || text.contains("TwoInputStreamOperator<");
                if (isOperator
                        && text.contains("class " + name)
                        && !text.contains("isolation.run(")
                        && !OTHERS.contains(name)) {
                    without.add(name);
                }
            }
        }
        assertThat(without).isEmpty();
    }
}
