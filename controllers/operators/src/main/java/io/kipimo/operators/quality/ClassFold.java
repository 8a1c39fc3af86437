package io.kipimo.operators.quality;

import io.kipimo.core.quality.window.ClassNames;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.schemas.policy.Policy;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Replaces class names that the policy of a service does not name ({@link ClassNames}), before streams are keyed by
 * class. Metric in group {@code kipimo.service.<name>}: {@value #UNNAMED_CLASSES}, the number of records of classes
 * that the policy does not name.
 */
final class ClassFold implements Serializable {
    static final String UNNAMED_CLASSES = "unnamedClasses";

    private static final String SERVICE = "service";

    private final PolicyBook<ClassNames> names;
    private transient MetricGroup group;
    private transient Map<String, Counter> unnamed;

    /** @param knownPolicies policies at the time of submission, by service */
    ClassFold(Map<String, Policy> knownPolicies) {
        names = new PolicyBook<>(knownPolicies, ClassNames::of);
    }

    void open(MetricGroup operatorGroup) {
        group = operatorGroup.addGroup(QualityMetrics.GROUP);
        unnamed = new HashMap<>();
    }

    /** Stores a policy if it is newer than the known one. A removal of a policy is always stored. */
    void update(BroadcastState<String, Policy> policies, Policy policy) throws Exception {
        names.update(policies, policy);
    }

    /** Whether the service has a policy. */
    boolean hasPolicy(ReadOnlyBroadcastState<String, Policy> policies, String service) throws Exception {
        return names.find(policies, service) != null;
    }

    /**
     * Returns the class name to use for {@code queryClass}; it differs if the policy does not name the class. The
     * service must have a policy.
     */
    String fold(ReadOnlyBroadcastState<String, Policy> policies, String service, String queryClass) throws Exception {
        String kept = names.find(policies, service).fold(queryClass);
        if (!kept.equals(queryClass)) {
            unnamed.computeIfAbsent(service, s -> group.addGroup(SERVICE, s).counter(UNNAMED_CLASSES))
                    .inc();
        }
        return kept;
    }
}
