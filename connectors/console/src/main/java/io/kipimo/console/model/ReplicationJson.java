package io.kipimo.console.model;

import io.kipimo.core.replication.ReplicationReason;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.replication.TrialEvidence;
import java.util.Optional;

/** A service's replication as JSON; latencies in milliseconds. */
final class ReplicationJson {
    private ReplicationJson() {}

    /** The service's replication; empty if it has neither a policy nor a decision on replication. */
    static Optional<JsonObject> of(ServiceState service, long nowMillis) {
        Optional<ReplicationPolicy> policy = service.policy().flatMap(Policy::replication);
        Optional<ReplicationDecision> newest = service.replication.newest();
        if (policy.isEmpty() && newest.isEmpty()) {
            return Optional.empty();
        }
        JsonObject json = new JsonObject()
                .with("target", policy.map(p -> p.target().name()).orElse("P99"))
                .with("shadow", policy.map(ReplicationPolicy::shadow).orElse(false))
                .with("override", policy.flatMap(ReplicationPolicy::override).filter(o -> o.isInForce(nowMillis)));
        if (newest.isPresent()) {
            decision(json, newest.get())
                    .with(
                            "turn",
                            newest.get().inTrial()
                                    ? "replication"
                                    : service.replication.isAdmissionsTurn() ? "admission" : "nobody");
        } else {
            json.with("decidedAtMillis", null);
        }
        return Optional.of(json.with(
                "events",
                service.replication.events().stream()
                        .map(ReplicationJson::event)
                        .toList()));
    }

    private static JsonObject decision(JsonObject json, ReplicationDecision d) {
        json.with("decidedAtMillis", d.issuedAtMillis()).with(d, "validUntilMillis");
        return reason(json, d)
                .with(d, "inTrial", "requests")
                .with("measured", d.requests() == 0 ? Double.NaN : d.measuredMicros() / 1000)
                .with("objective", d.objectiveMicros() == 0 ? Double.NaN : d.objectiveMicros() / 1000.0)
                .with("tiers", d.tiers().stream().map(ReplicationJson::tier).toList())
                .with(d, "broken")
                .with("evidence", d.evidence().map(ReplicationJson::evidence));
    }

    private static JsonObject tier(TierFactor tier) {
        return new JsonObject()
                .with("name", tier.tier())
                .with("factor", tier.factor())
                .with("proven", tier.fallback())
                .with(tier, "refusedByModel", "unevenCosts");
    }

    private static JsonObject event(ReplicationDecision d) {
        return reason(new JsonObject().with("atMillis", d.issuedAtMillis()), d)
                .with("factors", ReplicationFigures.factors(d))
                .with("previous", d.tiers().stream().map(TierFactor::previous).toList())
                .with("evidence", d.evidence().map(ReplicationJson::evidence));
    }

    private static JsonObject reason(JsonObject json, ReplicationDecision d) {
        return json.with(d, "mode", "reason")
                .with(
                        "reasonText",
                        ReplicationReason.named(d.reason())
                                .map(ReplicationReason::sentence)
                                .orElseGet(() -> DisplayText.constant(d.reason())));
    }

    private static JsonObject evidence(TrialEvidence e) {
        return new JsonObject()
                .with(e, "from", "to")
                .with("requests", e.trialRequests())
                .with("baseline", e.baselineMicros() / 1000)
                .with("trial", e.trialMicros() / 1000)
                .with("change", e.changeMicros() / 1000)
                .with("low", e.lowMicros() / 1000)
                .with("high", e.highMicros() / 1000)
                .with("predicted", e.predictedMicros().map(p -> p / 1000));
    }
}
