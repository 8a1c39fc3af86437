package io.kipimo.operators.control;

import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the replication operator, as {@code ….kipimo.scope.<service>.<name>}: {@code measuredMicros}, the target
 * in the newest window, {@code inTrial}, 0 or 1, {@code sequence}; {@code ….kipimo.scope.<service>.tier.<tier>.factor};
 * and, over all services, the numbers of emitted decisions ({@code ….kipimo.decisions}), started trials
 * ({@code ….kipimo.trials}) and rolled back trials ({@code ….kipimo.rollBacks}).
 */
final class ReplicationMetrics {
    private final MetricGroup group;
    private final Map<String, ReplicationDecision> latest = new HashMap<>();
    private final Counter decisions;
    private final Counter trials;
    private final Counter rollBacks;

    ReplicationMetrics(MetricGroup group) {
        this.group = group;
        decisions = group.counter("decisions");
        trials = group.counter("trials");
        rollBacks = group.counter("rollBacks");
    }

    void decided(ReplicationDecision decision) {
        decisions.inc();
        ReplicationDecision before = latest.put(decision.service(), decision);
        if (before == null) {
            register(decision);
        }
        if (decision.inTrial() && (before == null || !before.inTrial())) {
            trials.inc();
        }
        if (decision.reason().startsWith("ROLLED_BACK")) {
            rollBacks.inc();
        }
    }

    private void register(ReplicationDecision first) {
        String service = first.service();
        MetricGroup ofScope = group.addGroup("scope", service);
        ofScope.gauge("measuredMicros", () -> latest.get(service).measuredMicros());
        ofScope.gauge("inTrial", () -> latest.get(service).inTrial() ? 1 : 0);
        ofScope.gauge("sequence", () -> latest.get(service).sequence());
        for (TierFactor tier : first.tiers()) {
            ofScope.addGroup("tier", tier.tier()).gauge("factor", () -> latest.get(service)
                    .tier(tier.tier())
                    .map(TierFactor::factor)
                    .orElse(1));
        }
    }
}
