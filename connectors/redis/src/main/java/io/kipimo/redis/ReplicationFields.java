package io.kipimo.redis;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.ReplicationDecisionBuilder;
import io.kipimo.schemas.replication.TierFactor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts replication factors to the fields of a hash, named as in the wire message. {@code tiers}
 * lists the names, first to last, separated by slashes, which no name contains; {@code
 * factor:TIER}, {@code fallback:TIER} and {@code previous:TIER} are the factors. The evidence of
 * trials is not stored.
 */
final class ReplicationFields {
    private static final String BETWEEN = "/";

    private ReplicationFields() {}

    /**
     * Converts a decision to fields.
     *
     * @throws IllegalArgumentException if it must not be applied, or has a number too great for a
     *     server-side script
     */
    static Map<String, String> of(ReplicationDecision decision) {
        check(decision);
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("controller", ReplicationDecision.CONTROLLER);
        fields.put("scope", decision.service());
        fields.put("epoch", Long.toString(decision.epoch()));
        fields.put("sequence", Long.toString(decision.sequence()));
        fields.put("issued_at_millis", Long.toString(decision.issuedAtMillis()));
        fields.put("as_of_millis", Long.toString(decision.asOfMillis()));
        fields.put("valid_until_millis", Long.toString(decision.validUntilMillis()));
        fields.put("mode", decision.mode().name());
        fields.put("reason", decision.reason());
        fields.put("in_trial", Boolean.toString(decision.inTrial()));
        fields.put("requests", Long.toString(decision.requests()));
        fields.put("measured_micros", DecisionFields.plain(decision.measuredMicros()));
        fields.put("objective_micros", Long.toString(decision.objectiveMicros()));
        fields.put("config_version", Long.toString(decision.configVersion()));
        fields.put(
                "tiers",
                String.join(BETWEEN, decision.tiers().stream().map(TierFactor::tier).toList()));
        for (TierFactor tier : decision.tiers()) {
            fields.put("factor:" + tier.tier(), Integer.toString(tier.factor()));
            fields.put("fallback:" + tier.tier(), Integer.toString(tier.fallback()));
            fields.put("previous:" + tier.tier(), Integer.toString(tier.previous()));
        }
        return fields;
    }

    /**
     * Converts fields to a decision.
     *
     * @throws IllegalArgumentException if a field is absent or malformed
     */
    static ReplicationDecision read(Map<String, String> fields) {
        List<TierFactor> tiers = new ArrayList<>();
        for (String tier : text(fields, "tiers").split(BETWEEN)) {
            tiers.add(
                    new TierFactor(
                            tier,
                            Integer.parseInt(text(fields, "factor:" + tier)),
                            Integer.parseInt(text(fields, "previous:" + tier)),
                            Integer.parseInt(text(fields, "fallback:" + tier)),
                            false,
                            false));
        }
        ReplicationDecision decision =
                ReplicationDecisionBuilder.builder()
                        .service(text(fields, "scope"))
                        .epoch(count(fields, "epoch"))
                        .sequence(count(fields, "sequence"))
                        .issuedAtMillis(count(fields, "issued_at_millis"))
                        .asOfMillis(count(fields, "as_of_millis"))
                        .validUntilMillis(count(fields, "valid_until_millis"))
                        .tiers(List.copyOf(tiers))
                        .mode(DecisionMode.valueOf(text(fields, "mode")))
                        .reason(text(fields, "reason"))
                        .inTrial(Boolean.parseBoolean(text(fields, "in_trial")))
                        .requests(count(fields, "requests"))
                        .measuredMicros(Double.parseDouble(text(fields, "measured_micros")))
                        .objectiveMicros(count(fields, "objective_micros"))
                        .configVersion(count(fields, "config_version"))
                        .build();
        check(decision);
        return decision;
    }

    /** Checks the ranges of the wire message, and that a script can compare the numbers. */
    private static void check(ReplicationDecision decision) {
        try {
            Codecs.REPLICATION_DECISION.decode(Codecs.REPLICATION_DECISION.encode(decision));
        } catch (InvalidRecordException e) {
            throw new IllegalArgumentException("decision is refused: " + e.getMessage(), e);
        }
        DecisionFields.checkCount("epoch", decision.epoch());
        DecisionFields.checkCount("sequence", decision.sequence());
        DecisionFields.checkCount("valid_until_millis", decision.validUntilMillis());
    }

    private static long count(Map<String, String> fields, String field) {
        return Long.parseLong(text(fields, field));
    }

    private static String text(Map<String, String> fields, String field) {
        return DecisionFields.text(fields, field);
    }
}
