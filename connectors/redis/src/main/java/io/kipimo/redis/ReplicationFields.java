package io.kipimo.redis;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.ReplicationDecisionBuilder;
import io.kipimo.schemas.replication.TierFactor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts replication factors to the fields of a hash, named as in the wire message. {@code tiers} lists the names,
 * first to last, separated by slashes, which no name contains. The factors are in {@code factor:TIER},
 * {@code fallback:TIER} and {@code previous:TIER}. The evidence of trials is not stored.
 */
final class ReplicationFields {
    private static final String BETWEEN = "/";

    private ReplicationFields() {}

    /**
     * Converts a decision to fields.
     *
     * @throws IllegalArgumentException if the decision must not be applied, or has a number too great for a server-side
     *     script
     */
    static Map<String, String> of(ReplicationDecision decision) {
        Map<String, String> fields = HashFields.of(decision, Codecs.REPLICATION_DECISION);
        fields.put("controller", ReplicationDecision.CONTROLLER);
        fields.put("scope", fields.remove("service"));
        fields.put(
                "tiers",
                String.join(
                        BETWEEN, decision.tiers().stream().map(TierFactor::tier).toList()));
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
            tiers.add(new TierFactor(
                    tier,
                    Integer.parseInt(text(fields, "factor:" + tier)),
                    Integer.parseInt(text(fields, "previous:" + tier)),
                    Integer.parseInt(text(fields, "fallback:" + tier)),
                    false,
                    false));
        }
        Map<String, String> named = new HashMap<>(fields);
        named.put("service", text(fields, "scope"));
        return HashFields.check(
                ReplicationDecisionBuilder.builder(HashFields.read(Codecs.REPLICATION_DECISION, named))
                        .tiers(List.copyOf(tiers))
                        .build(),
                Codecs.REPLICATION_DECISION);
    }

    private static String text(Map<String, String> fields, String field) {
        return HashFields.text(fields, field);
    }
}
