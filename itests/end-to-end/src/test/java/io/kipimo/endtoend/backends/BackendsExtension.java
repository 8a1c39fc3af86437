package io.kipimo.endtoend.backends;

import io.kipimo.embedded.flink.FlinkCluster;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts what the first test needs that asks for it; JUnit closes it at the end of the session, which is that of the
 * JVM. The root of a test is no place for it: with several forks, surefire executes each class by itself.
 */
final class BackendsExtension implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(Backends.class);

    /** Of the shared cluster; the widest job has four subtasks, and two jobs run at once. */
    private static final int SLOTS = 8;

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Backends.class || type == FlinkCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Backends.class
                ? store(context)
                        .getOrComputeIfAbsent(
                                Backends.class,
                                key -> Backends.start(System.getProperty("backends", "auto")),
                                Backends.class)
                : store(context)
                        .getOrComputeIfAbsent(
                                FlinkCluster.class, key -> FlinkCluster.inProcess(1, SLOTS), FlinkCluster.class);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        FlinkCluster cluster = store(context).get(FlinkCluster.class, FlinkCluster.class);
        if (cluster != null) {
            cluster.cancelAll();
            cluster.replaceTaskManagers();
        }
    }

    private static ExtensionContext.Store store(ExtensionContext context) {
        return context.getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, NAMESPACE);
    }
}
