package io.kipimo.console.model;

import com.fasterxml.jackson.core.JsonGenerator;
import io.kipimo.core.replication.ReplicationReason;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.replication.BrokenConstraint;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.replication.TrialEvidence;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Writes a service's replication as JSON; latencies in milliseconds. */
final class ReplicationJson {
    private final JsonGenerator out;
    private final StateJson json;
    private final long nowMillis;

    ReplicationJson(JsonGenerator out, StateJson json, long nowMillis) {
        this.out = out;
        this.json = json;
        this.nowMillis = nowMillis;
    }

    void write(ServiceState service) throws IOException {
        Optional<ReplicationPolicy> policy = service.policy().flatMap(Policy::replication);
        Optional<ReplicationDecision> newest = service.replication.newest();
        if (policy.isEmpty() && newest.isEmpty()) {
            out.writeNullField("replication");
            return;
        }
        out.writeObjectFieldStart("replication");
        out.writeStringField("target", policy.map(p -> p.target().name()).orElse("P99"));
        out.writeBooleanField("shadow", policy.map(ReplicationPolicy::shadow).orElse(false));
        override(policy.flatMap(ReplicationPolicy::override).filter(o -> o.isInForce(nowMillis)));
        if (newest.isPresent()) {
            decision(newest.get());
            out.writeStringField(
                    "turn",
                    newest.get().inTrial()
                            ? "replication"
                            : service.replication.isAdmissionsTurn() ? "admission" : "nobody");
        } else {
            out.writeNullField("decidedAtMillis");
        }
        out.writeArrayFieldStart("events");
        for (ReplicationDecision event : service.replication.events()) {
            event(event);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void override(Optional<FactorOverride> of) throws IOException {
        if (of.isEmpty()) {
            out.writeNullField("override");
            return;
        }
        out.writeObjectFieldStart("override");
        factors("factors", of.get().factors());
        out.writeNumberField("untilMillis", of.get().untilMillis());
        out.writeStringField("by", of.get().by());
        out.writeStringField("reason", of.get().reason());
        out.writeEndObject();
    }

    private void decision(ReplicationDecision d) throws IOException {
        out.writeNumberField("decidedAtMillis", d.issuedAtMillis());
        out.writeNumberField("validUntilMillis", d.validUntilMillis());
        reason(d);
        out.writeBooleanField("inTrial", d.inTrial());
        out.writeNumberField("requests", d.requests());
        json.number("measured", d.requests() == 0 ? Double.NaN : d.measuredMicros() / 1000);
        json.number(
                "objective", d.objectiveMicros() == 0 ? Double.NaN : d.objectiveMicros() / 1000.0);
        out.writeArrayFieldStart("tiers");
        for (TierFactor tier : d.tiers()) {
            out.writeStartObject();
            out.writeStringField("name", tier.tier());
            out.writeNumberField("factor", tier.factor());
            out.writeNumberField("proven", tier.fallback());
            out.writeBooleanField("refusedByModel", tier.refusedByModel());
            out.writeBooleanField("unevenCosts", tier.unevenCosts());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeArrayFieldStart("broken");
        for (BrokenConstraint broken : d.broken()) {
            out.writeStartObject();
            out.writeStringField("constraint", broken.constraint());
            out.writeStringField("tier", broken.tier());
            json.number("value", broken.value());
            json.number("allowed", broken.allowed());
            out.writeEndObject();
        }
        out.writeEndArray();
        evidence(d.evidence());
    }

    private void event(ReplicationDecision d) throws IOException {
        out.writeStartObject();
        out.writeNumberField("atMillis", d.issuedAtMillis());
        reason(d);
        factors("factors", ReplicationFigures.factors(d));
        factors("previous", d.tiers().stream().map(TierFactor::previous).toList());
        evidence(d.evidence());
        out.writeEndObject();
    }

    private void reason(ReplicationDecision d) throws IOException {
        out.writeStringField("mode", d.mode().name());
        out.writeStringField("reason", d.reason());
        out.writeStringField(
                "reasonText",
                ReplicationReason.named(d.reason())
                        .map(ReplicationReason::sentence)
                        .orElseGet(() -> DisplayText.constant(d.reason())));
    }

    private void evidence(Optional<TrialEvidence> of) throws IOException {
        if (of.isEmpty()) {
            out.writeNullField("evidence");
            return;
        }
        TrialEvidence e = of.get();
        out.writeObjectFieldStart("evidence");
        factors("from", e.from());
        factors("to", e.to());
        out.writeNumberField("requests", e.trialRequests());
        json.number("baseline", e.baselineMicros() / 1000);
        json.number("trial", e.trialMicros() / 1000);
        json.number("change", e.changeMicros() / 1000);
        json.number("low", e.lowMicros() / 1000);
        json.number("high", e.highMicros() / 1000);
        json.number("predicted", e.predictedMicros().map(p -> p / 1000).orElse(Double.NaN));
        out.writeEndObject();
    }

    private void factors(String name, List<Integer> factors) throws IOException {
        out.writeArrayFieldStart(name);
        for (int factor : factors) {
            out.writeNumber(factor);
        }
        out.writeEndArray();
    }
}
