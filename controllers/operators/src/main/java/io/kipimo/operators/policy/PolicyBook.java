package io.kipimo.operators.policy;

import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.BroadcastStream;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * The current policies, each converted to {@code T} once. The job is submitted with the policies of that time, so that
 * no event is processed before its service's policy is known. The broadcast stream updates the policies; the newest
 * version applies. A {@link #removal} ends the policy of a service until another policy of any version follows.
 *
 * @param <T> prepared form of a policy
 */
public final class PolicyBook<T> implements Serializable {
    /** Broadcast state of every function that uses policies: the policy of each service. */
    public static final MapStateDescriptor<String, Policy> STATE =
            new MapStateDescriptor<>("policies", Types.STRING, Format.typeOf(Codecs.POLICY));

    /** Version of a {@link #removal}. It is the greatest that a message may have, and no real policy reaches it. */
    private static final long REMOVED = 1L << 53;

    private final HashMap<String, byte[]> shipped = new HashMap<>();
    private final SerializableFunction<Policy, T> prepare;
    private transient Map<String, Prepared<T>> prepared;
    private transient Map<String, String> problems;

    /** A function that Flink can ship to its subtasks. */
    public interface SerializableFunction<A, B> extends Function<A, B>, Serializable {}

    /** @param value prepared form; null if the policy was removed or cannot be used */
    private record Prepared<T>(Policy policy, T value) {}

    /**
     * @param known policies at the time of submission, by service
     * @param prepare throws IllegalArgumentException for a policy that cannot be used
     */
    public PolicyBook(Map<String, Policy> known, SerializableFunction<Policy, T> prepare) {
        known.forEach((service, policy) -> shipped.put(service, Codecs.POLICY.encode(policy)));
        this.prepare = prepare;
    }

    /**
     * Returns the marker that the stream carries when the policy of a service was removed. The marker is a policy
     * itself, so that state can hold it.
     */
    public static Policy removal(String service) {
        return Policy.builder()
                .service(service)
                .version(REMOVED)
                .metrics(List.of("tpr@1"))
                .classes(List.of(ClassPolicy.builder()
                        .name("removed")
                        .priority(0)
                        .objective(1)
                        .floor(1)
                        .build()))
                .build();
    }

    /** Returns whether a policy is the marker of a {@link #removal}. */
    public static boolean isRemoval(Policy policy) {
        return policy.version() == REMOVED;
    }

    /**
     * Returns whether a policy replaces the known one: its version is not lower, or the known one is a removal. A
     * removal replaces every policy.
     *
     * @param known the known policy; null: none
     */
    public static boolean isNewer(Policy policy, Policy known) {
        return known == null || isRemoval(known) || policy.version() >= known.version();
    }

    /** Whether a service's policy was removed. */
    public static boolean isRemoved(ReadOnlyBroadcastState<String, Policy> state, String service) throws Exception {
        Policy policy = state.get(service);
        return policy != null && isRemoval(policy);
    }

    /** Broadcasts the stream of policies into {@link #STATE}. */
    public static BroadcastStream<Policy> broadcast(DataStream<Policy> policies) {
        return policies.broadcast(STATE);
    }

    /**
     * Returns the prepared policy of a service. Returns null if the service is unknown, if its policy was removed
     * ({@link #isRemoved}), or if the policy cannot be used ({@link #problem}). An unusable policy does not affect
     * other services.
     */
    @SuppressWarnings("ReferenceEquality") // An equal one is recognized, too; see below.
    public T find(ReadOnlyBroadcastState<String, Policy> state, String service) throws Exception {
        Policy policy = state.get(service);
        Prepared<T> ready = prepared().get(service);
        if (policy == null && ready == null) {
            byte[] bytes = shipped.get(service);
            if (bytes == null) {
                return null;
            }
            policy = Codecs.POLICY.decode(bytes);
        }
        // One object in nearly all calls: comparing all fields would take longer than the caller's
        // work.
        if (ready == null || (policy != null && policy != ready.policy())) {
            ready = ready != null && policy.equals(ready.policy())
                    ? new Prepared<>(policy, ready.value())
                    : prepared(policy);
            prepared().put(service, ready);
        }
        return ready.value();
    }

    /**
     * Stores a policy if it is newer than the known one and can be used. A removal is always stored.
     *
     * @return the reason why the policy cannot be used; null if it can be used, or is not newer
     */
    public String update(BroadcastState<String, Policy> state, Policy policy) throws Exception {
        Policy known = state.get(policy.service());
        if (isRemoval(policy)) {
            prepared().put(policy.service(), prepared(policy));
            state.put(policy.service(), policy);
            return null;
        }
        if (!isNewer(policy, known)) {
            return null;
        }
        Prepared<T> ready = prepared(policy);
        if (ready.value() == null) {
            return problem(policy.service());
        }
        prepared().put(policy.service(), ready);
        state.put(policy.service(), policy);
        return null;
    }

    /** Returns the reason why the newest policy of a service cannot be used, or null if it can or there is none. */
    public String problem(String service) {
        return problems == null ? null : problems.get(service);
    }

    private Prepared<T> prepared(Policy policy) {
        if (problems == null) {
            problems = new HashMap<>();
        }
        try {
            T value = isRemoval(policy) ? null : prepare.apply(policy);
            problems.remove(policy.service());
            return new Prepared<>(policy, value);
        } catch (RuntimeException e) {
            problems.put(
                    policy.service(),
                    "the policy of service '" + policy.service() + "' cannot be used: " + e.getMessage());
            return new Prepared<>(policy, null);
        }
    }

    private Map<String, Prepared<T>> prepared() {
        if (prepared == null) {
            prepared = new HashMap<>();
        }
        return prepared;
    }
}
