package io.kipimo.endtoend.backends;

import io.kipimo.embedded.flink.FlinkCluster;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts what the first test needs that asks for it; JUnit closes it at the end of the session, which is that of the
 * JVM.
 */
final class BackendsExtension implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(Backends.class);

    /** Of a cluster; the widest job has four subtasks, and two jobs run at once. */
    private static final int SLOTS = 8;

    /** Clusters that no class uses now. */
    private record Clusters(Deque<FlinkCluster> free) implements AutoCloseable {
        FlinkCluster take() {
            FlinkCluster cluster = free.poll();
            return cluster != null ? cluster : FlinkCluster.inProcess(1, SLOTS);
        }

        @Override
        public void close() {
            free.forEach(FlinkCluster::close);
        }
    }

    /** The cluster of a class, until the class ends. */
    private record Leased(FlinkCluster cluster, Clusters clusters) implements AutoCloseable {
        @Override
        public void close() {
            clusters.free().push(cluster);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Backends.class || type == FlinkCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Backends.class
                ? ofSession(context)
                        .getOrComputeIfAbsent(
                                Backends.class,
                                key -> Backends.start(System.getProperty("backends", "auto")),
                                Backends.class)
                : cluster(context);
    }

    private static FlinkCluster cluster(ExtensionContext context) {
        Clusters clusters = ofSession(context)
                .getOrComputeIfAbsent(
                        Clusters.class, key -> new Clusters(new ConcurrentLinkedDeque<>()), Clusters.class);
        return ofClass(context)
                .getOrComputeIfAbsent(Leased.class, key -> new Leased(clusters.take(), clusters), Leased.class)
                .cluster();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Leased leased = ofClass(context).get(Leased.class, Leased.class);
        if (leased != null) {
            leased.cluster().cancelAll();
            leased.cluster().replaceTaskManagers();
        }
    }

    private static ExtensionContext.Store ofSession(ExtensionContext context) {
        return context.getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, NAMESPACE);
    }

    private static ExtensionContext.Store ofClass(ExtensionContext context) {
        ExtensionContext at = context;
        while (at.getTestMethod().isPresent()) {
            at = at.getParent().orElseThrow();
        }
        return at.getStore(NAMESPACE);
    }
}
