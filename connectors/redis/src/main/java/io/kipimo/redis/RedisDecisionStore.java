package io.kipimo.redis;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.replication.ReplicationDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import redis.clients.jedis.RedisClient;

/**
 * Stores the newest decision of every controller and scope in hash {@code kipimo:decision:CONTROLLER:SCOPE}, with the
 * fields of the wire message. A decision on replication factors has fields for each tier, such as {@code factor:web}. A
 * decision only replaces one of a lower epoch, or of the same epoch and a lower sequence. One script checks and writes,
 * so concurrent and repeated writes are harmless. A decision is kept for some time after its lease, since otherwise an
 * older one could take its place.
 *
 * <p>Redis itself may lose newer data at a restart, so readers must check epoch and sequence.
 */
public final class RedisDecisionStore extends RedisUser {
    /** Time for which a decision is kept after its lease. It equals the longest lease of an actuator. */
    public static final Duration GRACE = Duration.ofHours(1);

    private static final RedisScript PUT = RedisScript.of(RedisScript.class, "put_decision.lua");

    private RedisDecisionStore(RedisSettings settings) {
        super(settings);
    }

    /**
     * Returns a store that connects at its first use, and again when the connection breaks.
     *
     * @throws IllegalArgumentException if the password cannot be read
     */
    public static RedisDecisionStore at(RedisSettings settings) {
        return new RedisDecisionStore(settings);
    }

    /**
     * Stores a decision if it is newer than the stored one.
     *
     * @return whether it was stored
     * @throws IllegalArgumentException if no actuator may apply the decision; the message names the field
     * @throws RedisUnavailableException if Redis does not answer, or refuses
     */
    public boolean put(Decision decision) {
        return put(
                key(decision.controller(), decision.scope()),
                decision.epoch(),
                decision.sequence(),
                decision.validUntilMillis() - decision.issuedAtMillis(),
                HashFields.of(decision, Codecs.DECISION));
    }

    /**
     * Stores factors if they are newer than the stored ones.
     *
     * @return whether they were stored
     * @throws IllegalArgumentException if no arbiter may apply the factors; the message names the field
     * @throws RedisUnavailableException if Redis does not answer, or refuses
     */
    public boolean put(ReplicationDecision decision) {
        return put(
                key(ReplicationDecision.CONTROLLER, decision.service()),
                decision.epoch(),
                decision.sequence(),
                decision.validUntilMillis() - decision.issuedAtMillis(),
                ReplicationFields.of(decision));
    }

    private boolean put(String key, long epoch, long sequence, long leaseMillis, Map<String, String> fields) {
        List<String> arguments = new ArrayList<>();
        arguments.add(Long.toString(epoch));
        arguments.add(Long.toString(sequence));
        arguments.add(Long.toString(leaseMillis + GRACE.toMillis()));
        fields.forEach((field, value) -> {
            arguments.add(field);
            arguments.add(value);
        });
        return ask(redis -> PUT.run(redis, List.of(key), arguments)).equals(1L);
    }

    /**
     * Returns the stored decision; empty if there is none.
     *
     * @param controller {@link Decision#ADMISSION} or {@link Decision#SAMPLING}
     * @param scope service/class, or service
     * @throws IllegalArgumentException if the stored fields are no decision; the message names the field
     * @throws RedisUnavailableException if Redis does not answer, or refuses
     */
    public Optional<Decision> get(String controller, String scope) {
        Map<String, String> fields = ask(redis -> redis.hgetAll(key(controller, scope)));
        return fields.isEmpty()
                ? Optional.empty()
                : Optional.of(HashFields.check(HashFields.read(Codecs.DECISION, fields), Codecs.DECISION));
    }

    /**
     * Returns the stored factors; empty if there are none. They lack the evidence of trials, which only the topic
     * holds.
     *
     * @throws IllegalArgumentException if the stored fields are no such decision; the message names the field
     * @throws RedisUnavailableException if Redis does not answer, or refuses
     */
    public Optional<ReplicationDecision> replication(String service) {
        String key = key(ReplicationDecision.CONTROLLER, service);
        Map<String, String> fields = ask(redis -> redis.hgetAll(key));
        return fields.isEmpty() ? Optional.empty() : Optional.of(ReplicationFields.read(fields));
    }

    /**
     * Checks that Redis answers.
     *
     * @throws RedisUnavailableException if Redis does not answer, or refuses the command
     */
    public void ping() {
        String unused = ask(RedisClient::ping);
    }

    /** Name of the hash of a decision. */
    public static String key(String controller, String scope) {
        return "kipimo:decision:" + controller + ':' + scope;
    }
}
