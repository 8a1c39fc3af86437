package io.kipimo.sdk;

import io.kipimo.core.arbitration.CopyBudget;
import io.kipimo.core.guard.ActuatorVerdict;
import io.kipimo.core.guard.Leased;
import io.kipimo.core.replication.FactorActuator;
import io.kipimo.schemas.replication.ReplicationDecision;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Tells the arbiters of a service how many copies of each request to send. It follows the replication topic, applies a
 * decision only if it passes the arbiter's checks, and falls back to no copies when decisions cease. Reads take no
 * lock.
 */
public final class ReplicationClient {
    /** Reason in {@link #refusals()}: the record was not a decision. */
    public static final String UNREADABLE = "UNREADABLE";

    private final String service;
    private final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();
    private final Map<String, CopyBudget> lateCopies = new ConcurrentHashMap<>();
    private final InstantSource wall;
    private final LongSupplier monotonicMillis;
    private volatile Leased<Optional<ReplicationDecision>> applied = FactorActuator.INITIAL;

    /** @param monotonicMillis a monotonic clock, milliseconds */
    ReplicationClient(KipimoConfig config, InstantSource wall, LongSupplier monotonicMillis) {
        this.service = config.service();
        this.wall = wall;
        this.monotonicMillis = monotonicMillis;
    }

    /**
     * Number of servers of the tier that get each request, at least 1: the decided factor; after the end of the
     * decision's lease, the decision's proven factor, and some minutes later 1. It is 1 for tiers that no decision
     * names.
     */
    public int factor(String tier) {
        var now = applied;
        return FactorActuator.factor(now, tier, now.overdueMillis(wall.millis(), monotonicMillis.getAsLong()));
    }

    /**
     * The tier's budget of copies that are sent once a first response is late: at most the share
     * {@value CopyBudget#DEFAULT_SHARE} of the tier's requests. Call {@link CopyBudget#onRequest} for every request,
     * and send as many copies as {@link CopyBudget#take} returns.
     */
    public CopyBudget lateCopies(String tier) {
        return lateCopies.computeIfAbsent(tier, t -> new CopyBudget(CopyBudget.DEFAULT_SHARE));
    }

    /** The decision that applies now; empty if there is none or its lease has ended. */
    public Optional<ReplicationDecision> inForce() {
        var now = applied;
        return now.value().filter(d -> now.overdueMillis(wall.millis(), monotonicMillis.getAsLong()) < 0);
    }

    /** Age of the last applied decision, milliseconds since it was issued; empty before the first one. */
    public OptionalLong decisionAgeMillis() {
        long now = wall.millis();
        return applied.value()
                .map(d -> OptionalLong.of(now - d.issuedAtMillis()))
                .orElse(OptionalLong.empty());
    }

    /** Number of refused decisions, by name of {@link ActuatorVerdict} or {@link #UNREADABLE}. */
    public Map<String, Long> refusals() {
        Map<String, Long> counts = new TreeMap<>();
        refusals.forEach((reason, count) -> counts.put(reason, count.sum()));
        return counts;
    }

    /** Applies or refuses a decision; called by one thread. */
    void offer(ReplicationDecision decision) {
        var offer = FactorActuator.offer(service, applied, decision, wall.millis(), monotonicMillis.getAsLong());
        applied = offer.state();
        // Other services share the topic.
        if (!offer.verdict().isApplied() && offer.verdict() != ActuatorVerdict.OTHER_SCOPE) {
            refuse(offer.verdict().name());
        }
    }

    void unreadable() {
        refuse(UNREADABLE);
    }

    private void refuse(String reason) {
        refusals.computeIfAbsent(reason, r -> new LongAdder()).increment();
    }
}
