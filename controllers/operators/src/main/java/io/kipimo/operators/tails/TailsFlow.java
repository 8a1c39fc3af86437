package io.kipimo.operators.tails;

import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Turns observations into windows of all levels. Each level is keyed by scope and merges, for each tumbling window, one
 * pane of each part in the level below. So traffic decreases towards the service.
 *
 * <pre>
 * observations ─> servers ─┬─> components ─> tiers ─> services
 *                          └─> arbiters
 * </pre>
 *
 * @param windows windows of every level
 * @param deadLetters observations that were late, of unknown services or of too many servers
 */
public record TailsFlow(DataStream<TailWindow> windows, DataStream<DeadLetter> deadLetters) {
    private static final TypeInformation<TailWindow> WINDOW = Format.typeOf(Codecs.TAIL_WINDOW);

    /**
     * Builds the flow.
     *
     * @param knownPolicies policies at the time of submission, by service
     * @param topicPrefix prefix of the topic name in dead letters
     */
    public static TailsFlow of(
            DataStream<ReceivedObservation> observations,
            DataStream<Policy> policies,
            Map<String, Policy> knownPolicies,
            String topicPrefix,
            TailsSettings settings) {
        SingleOutputStreamOperator<TailWindow> servers = observations
                .keyBy(ReceivedObservation::key, Types.STRING)
                .connect(PolicyBook.broadcast(policies))
                .process(new ServerTailsFunction(settings, knownPolicies, topicPrefix), WINDOW)
                .uid("server-tails")
                .name("server-tails");
        SingleOutputStreamOperator<TailWindow> components =
                level(servers, TailLevel.COMPONENT, settings, "component-tails");
        SingleOutputStreamOperator<TailWindow> arbiters = level(servers, TailLevel.ARBITER, settings, "arbiter-tails");
        SingleOutputStreamOperator<TailWindow> tiers = level(components, TailLevel.TIER, settings, "tier-tails");
        SingleOutputStreamOperator<TailWindow> services = level(tiers, TailLevel.SERVICE, settings, "service-tails");
        return new TailsFlow(
                servers.union(components, arbiters, tiers, services),
                servers.getSideOutput(ServerTailsFunction.DEAD_LETTERS));
    }

    private static SingleOutputStreamOperator<TailWindow> level(
            SingleOutputStreamOperator<TailWindow> below, TailLevel level, TailsSettings settings, String uid) {
        return below.getSideOutput(ServerTailsFunction.PANES)
                .filter(pane -> pane.whole().level() == level)
                .uid(uid + "-parts")
                .name(uid + "-parts")
                .keyBy(pane -> pane.whole().key(), Types.STRING)
                .process(new ScopeTailsFunction(settings), WINDOW)
                .uid(uid)
                .name(uid);
    }
}
