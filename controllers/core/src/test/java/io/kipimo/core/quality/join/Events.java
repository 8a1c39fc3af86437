package io.kipimo.core.quality.join;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Short constructors of events and policies. Query "q" of service "shop" starts at {@link #START}. */
public final class Events {
    public static final long START = 1_000_000;
    public static final long WINDOW = 10_000;
    public static final QueryKey KEY = new QueryKey("shop", "q");

    private Events() {}

    public static Policy policy() {
        return policy(MergePolicy.TOP_K);
    }

    public static Policy replayPolicy() {
        return policy(new MergePolicy(MergeKind.REPLAYED_ANSWERS, List.of(), Map.of()));
    }

    private static Policy policy(MergePolicy merge) {
        return Policy.builder()
                .service("shop")
                .version(1)
                .metrics(List.of("tpr@4", "ndcg@4"))
                .merge(merge)
                .topK(4)
                .expirationWindowMillis(WINDOW)
                .classes(List.of(
                        ClassPolicy.builder()
                                .name("high")
                                .priority(0)
                                .objective(0.9)
                                .floor(0.01)
                                .build(),
                        ClassPolicy.builder()
                                .name("low")
                                .priority(1)
                                .objective(0.5)
                                .safeFraction(0.2)
                                .floor(0.01)
                                .build()))
                .build();
    }

    /**
     * Joins an event at the start of event time.
     *
     * @return result of the event; null: it is held
     */
    static JoinResult accept(OpenQuery query, LoggedEvent event, QualitySettings settings) {
        return accept(query, event, settings, Long.MIN_VALUE);
    }

    /** Feeds an event at another event time. */
    static JoinResult accept(OpenQuery query, LoggedEvent event, QualitySettings settings, long watermarkMillis) {
        JoinResult[] own = new JoinResult[1];
        boolean unused = QueryJoin.accept(
                query, event, settings, watermarkMillis, (taken, fate) -> own[0] = taken == event ? fate : own[0]);
        return own[0];
    }

    /** The measurement at the end of the query's window. */
    static Optional<Measurement> expire(QueryKey key, OpenQuery query, QualitySettings settings) {
        return QueryJoin.measureExpired(key, query, settings, (event, fate) -> {});
    }

    public static LoggedEvent answer(Invocation... invocations) {
        return answer(AnswerKind.ONLINE, Items.NONE, START + 30, invocations);
    }

    public static LoggedEvent answer(AnswerKind kind, Items items, long answeredAtMillis, Invocation... invocations) {
        return event(AnswerBuilder.builder()
                .service("shop")
                .queryId("q")
                .queryClass("high")
                .kind(kind)
                .startedAtMillis(START)
                .answeredAtMillis(answeredAtMillis)
                .deadlineMillis(30)
                .invocations(List.of(invocations))
                .items(items)
                .build());
    }

    /** An answer that its emitter marks as unmeasurable. */
    public static LoggedEvent unmeasurable(Unmeasurable reason, Invocation... invocations) {
        return event(AnswerBuilder.builder()
                .service("shop")
                .queryId("q")
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(START)
                .answeredAtMillis(START + 30)
                .deadlineMillis(30)
                .invocations(List.of(invocations))
                .items(Items.NONE)
                .unmeasurable(Optional.of(reason))
                .build());
    }

    /** The event as read from the log. */
    public static LoggedEvent logged(QueryEvent event) {
        return logged(event, 0);
    }

    /** The event as it comes from a partition of the log. */
    public static LoggedEvent logged(QueryEvent event, int partition) {
        try {
            return event.isAnswer()
                    ? new EventScanner().answer(Codecs.ANSWER.encode(event.answer()), partition, 0)
                    : new EventScanner().partial(Codecs.PARTIAL_RESULT.encode(event.partial()), partition, 0);
        } catch (InvalidRecordException e) {
            throw new AssertionError(e);
        }
    }

    /** The event as read from the log. */
    public static LoggedEvent event(Answer answer) {
        try {
            return new EventScanner().answer(Codecs.ANSWER.encode(answer), 0, 0);
        } catch (InvalidRecordException e) {
            throw new AssertionError(e);
        }
    }

    /** The event as read from the log. */
    public static LoggedEvent event(PartialResult partial) {
        try {
            return new EventScanner().partial(Codecs.PARTIAL_RESULT.encode(partial), 0, 0);
        } catch (InvalidRecordException e) {
            throw new AssertionError(e);
        }
    }

    public static Invocation inTime(String component) {
        return new Invocation(component, Outcome.IN_TIME, 10_000);
    }

    public static Invocation timedOut(String component) {
        return new Invocation(component, Outcome.TIMED_OUT, 30_000);
    }

    public static Invocation failed(String component) {
        return new Invocation(component, Outcome.FAILED, 5_000);
    }

    public static Invocation notAsked(String component) {
        return new Invocation(component, Outcome.NOT_ASKED, 0);
    }

    /** An answer that did not ask some components. */
    public static LoggedEvent trimmed(Optional<Double> notAskedLoss, Invocation... invocations) {
        return trimmed(Items.NONE, notAskedLoss, invocations);
    }

    /** As above, with items. */
    public static LoggedEvent trimmed(Items items, Optional<Double> notAskedLoss, Invocation... invocations) {
        return event(AnswerBuilder.builder()
                .service("shop")
                .queryId("q")
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(START)
                .answeredAtMillis(START + 30)
                .deadlineMillis(30)
                .invocations(List.of(invocations))
                .items(items)
                .notAskedLoss(notAskedLoss)
                .build());
    }

    public static LoggedEvent online(String component, long... ids) {
        return partial(component, Phase.ONLINE, START + 10, items(ids));
    }

    public static LoggedEvent mature(String component, long... ids) {
        return partial(component, Phase.MATURE, START + 200, items(ids));
    }

    public static LoggedEvent partial(String component, Phase phase, long completedAtMillis, Items items) {
        return event(PartialResultBuilder.builder()
                .service("shop")
                .queryId("q")
                .component(component)
                .server("")
                .phase(phase)
                .completedAtMillis(completedAtMillis)
                .latencyMicros(Math.max(0, completedAtMillis - START) * 1000)
                .items(items)
                .build());
    }

    /** Items whose score falls with their identifier, so that 1 is the best. */
    public static Items items(long... ids) {
        float[] scores = new float[ids.length];
        for (int i = 0; i < ids.length; i++) {
            scores[i] = 1000 - ids[i];
        }
        return ids.length == 0 ? Items.NONE : Items.ofNumbers(Arrays.copyOf(ids, ids.length), scores);
    }
}
