package io.kipimo.operators.isolation;

import io.kipimo.schemas.field.Names;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.execution.CancelTaskException;
import org.apache.flink.util.FlinkRuntimeException;
import org.apache.flink.util.function.RunnableWithException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the steps of an operator that many services share. If the data or policy of a service makes a step fail, only
 * that step is lost and all others go on. Otherwise the job would restart, read the same data and fail again, for all
 * services.
 *
 * <p>Failures of Flink itself (state, network, sinks, operators behind this one) and checked exceptions are thrown on,
 * since only a restart helps against them.
 *
 * <p>Metric, in group {@code kipimo.service.<name>}: {@value #FAILED_STEPS}, the number of lost steps. Services beyond
 * {@value #MOST_SERVICES} share the name {@code others}. The log reports the first, second, fourth, eighth and so on
 * failure of a service. An instance must be used by one thread only.
 */
public final class Isolation {
    public static final String FAILED_STEPS = "failedSteps";

    private static final int MOST_SERVICES = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(Isolation.class);

    private final MetricGroup group;
    private final Map<String, Counter> failures = new HashMap<>();

    /** @param operatorGroup metric group of the operator */
    public Isolation(MetricGroup operatorGroup) {
        group = operatorGroup.addGroup("kipimo");
    }

    /**
     * Runs one step.
     *
     * @param scope key of the step: a service, or a text that begins with it and a slash
     * @return whether the step succeeded
     * @throws Exception if Flink failed, or the step threw a checked exception
     */
    public boolean run(String scope, RunnableWithException step) throws Exception {
        try {
            step.run();
            return true;
        } catch (FlinkRuntimeException | UncheckedIOException | CancelTaskException e) {
            throw e;
        } catch (RuntimeException e) {
            failed(scope, e);
            return false;
        }
    }

    private void failed(String scope, RuntimeException failure) {
        int slash = scope.indexOf('/');
        String service = slash < 0 ? scope : scope.substring(0, slash);
        String name = failures.containsKey(service) || failures.size() < MOST_SERVICES ? service : "others";
        Counter counter =
                failures.computeIfAbsent(name, n -> group.addGroup("service", n).counter(FAILED_STEPS));
        counter.inc();
        long count = counter.getCount();
        if (Long.bitCount(count) == 1) {
            LOG.warn(
                    "a step of {} failed and is lost; failures of service {} in this operator: {}",
                    Names.printable(scope),
                    Names.printable(service),
                    count,
                    failure);
        }
    }
}
