package io.kipimo.operators.quality;

import io.kipimo.operators.isolation.Isolation;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Checks observations against the policies. Observations of unknown services become dead letters, like their events.
 * Observations of a service whose policy was removed are dropped and counted. Classes that the policy does not name
 * become {@link io.kipimo.core.quality.window.ClassNames#OTHER}.
 *
 * <p>Metrics, in group {@code kipimo}: {@code rejectedObservations}, observations of unknown services;
 * {@code unmeasuredObservations}, observations of services whose policy was removed; and the metric of
 * {@link ClassFold}.
 */
public final class ObservationGate extends BroadcastProcessFunction<LoggedObservation, Policy, Observation> {
    /** Side output of observations of unknown services, as dead letters. */
    public static final OutputTag<DeadLetter> DEAD_LETTERS =
            new OutputTag<>("dead-letters", Format.typeOf(Codecs.DEAD_LETTER));

    private static final String UID = "observation-gate";

    private final ClassFold classes;
    private final String topic;
    private transient Counter rejected;
    private transient Counter unmeasured;
    private transient Isolation isolation;

    ObservationGate(Map<String, Policy> knownPolicies, String topicPrefix) {
        classes = new ClassFold(knownPolicies);
        topic = Topic.OBSERVATIONS.name(topicPrefix);
    }

    /**
     * Adds the gate, which passes on the observations of known services.
     *
     * @param knownPolicies policies at the time of submission, by service
     * @param topicPrefix prefix of the topic name in dead letters
     */
    public static SingleOutputStreamOperator<Observation> of(
            DataStream<LoggedObservation> observations,
            DataStream<Policy> policies,
            Map<String, Policy> knownPolicies,
            String topicPrefix) {
        return observations
                .connect(PolicyBook.broadcast(policies))
                .process(new ObservationGate(knownPolicies, topicPrefix), Format.typeOf(Codecs.OBSERVATION))
                .uid(UID)
                .name(UID);
    }

    @Override
    public void open(OpenContext context) {
        var operator = getRuntimeContext().getMetricGroup();
        rejected = operator.addGroup(QualityMetrics.GROUP).counter("rejectedObservations");
        unmeasured = operator.addGroup(QualityMetrics.GROUP).counter("unmeasuredObservations");
        classes.open(operator);
        isolation = new Isolation(operator);
    }

    @Override
    public void processElement(LoggedObservation logged, ReadOnlyContext ctx, Collector<Observation> out)
            throws Exception {
        isolation.run(logged.observation().service(), () -> check(logged, ctx, out));
    }

    private void check(LoggedObservation logged, ReadOnlyContext ctx, Collector<Observation> out) throws Exception {
        Observation seen = logged.observation();
        var known = ctx.getBroadcastState(PolicyBook.STATE);
        if (PolicyBook.isRemoved(known, seen.service())) {
            unmeasured.inc();
            return;
        }
        if (!classes.hasPolicy(known, seen.service())) {
            rejected.inc();
            ctx.output(DEAD_LETTERS, unknownService(logged, ctx.currentProcessingTime()));
            return;
        }
        String kept = classes.fold(known, seen.service(), seen.queryClass());
        out.collect(kept.equals(seen.queryClass()) ? seen : seen.ofClass(kept));
    }

    @Override
    public void processBroadcastElement(Policy policy, Context ctx, Collector<Observation> out) throws Exception {
        classes.update(ctx.getBroadcastState(PolicyBook.STATE), policy);
    }

    private DeadLetter unknownService(LoggedObservation logged, long nowMillis) {
        return new DeadLetter(
                topic,
                logged.partition(),
                logged.offset(),
                RejectionReason.UNKNOWN_SERVICE,
                "service is '" + logged.observation().service() + "'; allowed: one that has a policy",
                logged.key(),
                Codecs.OBSERVATION.encode(logged.observation()),
                nowMillis);
    }
}
