package io.kipimo.redis;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Converts a decision to the fields of a hash, named as in the wire message. Numbers are decimals
 * without exponents, which some readers misread.
 */
final class DecisionFields {
    /** Lua's numbers are doubles, which do not distinguish all integers from here on. */
    private static final long COUNT_LIMIT = 1L << 53;

    private DecisionFields() {}

    /**
     * Converts a decision to fields.
     *
     * @throws IllegalArgumentException if it must not be applied: a number is not finite, out of
     *     range, or too great for a server-side script
     */
    static Map<String, String> of(Decision decision) {
        check(decision);
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("controller", decision.controller());
        fields.put("scope", decision.scope());
        fields.put("epoch", Long.toString(decision.epoch()));
        fields.put("sequence", Long.toString(decision.sequence()));
        fields.put("issued_at_millis", Long.toString(decision.issuedAtMillis()));
        fields.put("as_of_millis", Long.toString(decision.asOfMillis()));
        fields.put("valid_until_millis", Long.toString(decision.validUntilMillis()));
        fields.put("value", plain(decision.value()));
        fields.put("previous", plain(decision.previous()));
        fields.put("samples", Integer.toString(decision.samples()));
        fields.put("mode", decision.mode().name());
        fields.put("reason", decision.reason());
        fields.put("config_version", Long.toString(decision.configVersion()));
        fields.put("measured", plain(decision.measured()));
        fields.put("low", plain(decision.low()));
        fields.put("high", plain(decision.high()));
        fields.put("objective", plain(decision.objective()));
        return fields;
    }

    /**
     * Converts fields to a decision.
     *
     * @throws IllegalArgumentException if a field is absent or malformed
     */
    static Decision read(Map<String, String> fields) {
        Decision decision =
                DecisionBuilder.builder()
                        .controller(text(fields, "controller"))
                        .scope(text(fields, "scope"))
                        .epoch(Long.parseLong(text(fields, "epoch")))
                        .sequence(Long.parseLong(text(fields, "sequence")))
                        .issuedAtMillis(Long.parseLong(text(fields, "issued_at_millis")))
                        .asOfMillis(Long.parseLong(text(fields, "as_of_millis")))
                        .validUntilMillis(Long.parseLong(text(fields, "valid_until_millis")))
                        .value(Double.parseDouble(text(fields, "value")))
                        .previous(Double.parseDouble(text(fields, "previous")))
                        .samples(Integer.parseInt(text(fields, "samples")))
                        .mode(DecisionMode.valueOf(text(fields, "mode")))
                        .reason(text(fields, "reason"))
                        .configVersion(Long.parseLong(text(fields, "config_version")))
                        .measured(Double.parseDouble(text(fields, "measured")))
                        .low(Double.parseDouble(text(fields, "low")))
                        .high(Double.parseDouble(text(fields, "high")))
                        .objective(Double.parseDouble(text(fields, "objective")))
                        .build();
        check(decision);
        return decision;
    }

    /** Checks the ranges of the wire message, and that a script can compare the numbers. */
    private static void check(Decision decision) {
        try {
            Codecs.DECISION.decode(Codecs.DECISION.encode(decision));
        } catch (InvalidRecordException e) {
            throw new IllegalArgumentException("decision is refused: " + e.getMessage(), e);
        }
        checkCount("epoch", decision.epoch());
        checkCount("sequence", decision.sequence());
        checkCount("valid_until_millis", decision.validUntilMillis());
    }

    static void checkCount(String field, long value) {
        if (value >= COUNT_LIMIT) {
            throw new IllegalArgumentException(
                    "decision is refused: " + field + " is " + value + "; allowed: below 2^53");
        }
    }

    static String plain(double value) {
        return BigDecimal.valueOf(value).toPlainString();
    }

    static String text(Map<String, String> fields, String field) {
        String value = fields.get(field);
        if (value == null) {
            throw new IllegalArgumentException("decision is refused: " + field + " is absent");
        }
        return value;
    }
}
