package io.kipimo.gateway.record;

import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.control.Control;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.sdk.trace.TraceParent;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells the measuring jobs what it sees of queries: at the front, when an answer left; at the
 * components, who answered in time, who late, and who was given up. It tells the same as a service
 * that embeds the sdk does.
 *
 * <p>Front and components of a query have to pass through the same gateway for its answer to be
 * told with what became of each component. Behind a front end that tells of its answers itself,
 * components may have gateways of their own.
 */
public final class Recorder {
    private static final int MOST_QUERIES = 100_000;

    private final GatewayConfig config;
    private final Control control;
    private final ItemReaders readers;
    private final MemoCache memo;
    private final QueryBook book = new QueryBook(MOST_QUERIES);
    private final LongAdder unreadable = new LongAdder();

    public Recorder(GatewayConfig config, Control control, ItemReaders readers, MemoCache memo) {
        this.config = config;
        this.control = control;
        this.readers = readers;
        this.memo = memo;
    }

    /** A query comes in; empty: it is not told of. */
    public Optional<FrontQuery> begin(TraceParent trace, String queryClass) {
        long now = System.currentTimeMillis();
        FrontQuery query =
                new FrontQuery(
                        trace, queryClass, now, control.isSampled(trace.traceId(), now), false);
        return book.open(query) ? Optional.of(query) : Optional.empty();
    }

    /** A query begins once more, under the id of the first time; empty: that is still under way. */
    public Optional<FrontQuery> beginReplay(FrontQuery query) {
        FrontQuery replay =
                new FrontQuery(
                        query.trace(), query.queryClass(), query.startedAtMillis(), true, true);
        return book.open(replay) ? Optional.of(replay) : Optional.empty();
    }

    /**
     * An answer left.
     *
     * @param response empty: it was too large, or none came
     * @return whether something was missing from it, and it is sampled
     */
    public boolean answered(
            FrontQuery query, ListenerConfig front, Optional<RecordedResponse> response) {
        List<Invocation> invocations = query.answer(System.nanoTime());
        control.answered(query.queryClass(), invocations);
        if (!query.isSampled()) {
            book.close(query);
            return false;
        }
        Answer answer =
                answer(
                        query,
                        front,
                        AnswerKind.ONLINE,
                        invocations,
                        response.map(r -> items(front, r)).orElse(Items.NONE));
        control.emit(answer);
        if (control.wantsPartials(answer)) {
            query.takeOnline().forEach(control::emit);
        }
        return answer.isDegraded();
    }

    /**
     * A query that was run once more is answered.
     *
     * @return whether its answer is mature: nothing was missing from it this time
     */
    public boolean replayed(FrontQuery replay, ListenerConfig front, RecordedResponse response) {
        List<Invocation> invocations = replay.answer(System.nanoTime());
        boolean mature = invocations.stream().allMatch(i -> i.outcome() == Outcome.IN_TIME);
        if (mature) {
            control.emit(
                    answer(replay, front, AnswerKind.REPLAYED, List.of(), items(front, response)));
        }
        return mature;
    }

    /** Nothing more comes of the query. */
    public void end(FrontQuery query) {
        book.close(query);
    }

    private Answer answer(
            FrontQuery query,
            ListenerConfig front,
            AnswerKind kind,
            List<Invocation> invocations,
            Items items) {
        return new Answer(
                config.service(),
                query.trace().traceId(),
                query.queryClass(),
                kind,
                query.startedAtMillis(),
                System.currentTimeMillis(),
                front.deadlineMillis(),
                front.topK(),
                invocations,
                items,
                false);
    }

    private Items items(ListenerConfig listener, RecordedResponse response) {
        Optional<ItemReader> reader = readers.of(listener);
        if (reader.isEmpty() || !response.isSuccess()) {
            return Items.NONE;
        }
        try {
            return reader.get().read(response);
        } catch (IllegalArgumentException e) {
            unreadable.increment();
            return Items.NONE;
        }
    }

    /** A component is asked for the first time by a query that is told of. */
    public Optional<ComponentCall> invoked(
            ListenerConfig component, TraceParent trace, boolean isReplay) {
        Optional<FrontQuery> known = book.find(trace.traceId());
        if (known.isEmpty()) {
            long now = System.currentTimeMillis();
            boolean sampled = !isReplay && control.isSampled(trace.traceId(), now);
            known =
                    sampled
                            ? Optional.of(
                                    FrontQuery.elsewhere(trace, component.defaultClass(), now))
                            : Optional.empty();
        }
        return known.filter(query -> query.isReplay() == isReplay)
                .filter(query -> query.invoked(component.name(), System.nanoTime()))
                .map(query -> new ComponentCall(this, component, query));
    }

    void returned(
            ListenerConfig component,
            FrontQuery query,
            int status,
            Optional<RecordedResponse> response) {
        long now = System.nanoTime();
        if (status < 200 || status >= 300) {
            query.failed(component.name(), now);
            return;
        }
        boolean inTime = query.returned(component.name(), now);
        if (!query.isSampled() || query.isReplay()) {
            return;
        }
        if (!inTime) {
            control.lateResult(query.queryClass(), query.lateMicros(now));
        }
        response.flatMap(r -> partial(component, query, inTime, r, now))
                .filter(partial -> !inTime || !query.keep(partial))
                .filter(partial -> isOfUse(query, partial))
                .ifPresent(control::emit);
    }

    private Optional<PartialResult> partial(
            ListenerConfig component,
            FrontQuery query,
            boolean inTime,
            RecordedResponse response,
            long nowNanos) {
        Optional<ItemReader> reader = readers.of(component);
        if (reader.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new PartialResult(
                            config.service(),
                            query.trace().traceId(),
                            component.name(),
                            config.server(),
                            inTime ? Phase.ONLINE : Phase.MATURE,
                            System.currentTimeMillis(),
                            query.latencyMicros(component.name(), nowNanos),
                            reader.get().read(response),
                            false));
        } catch (IllegalArgumentException e) {
            unreadable.increment();
            return Optional.empty();
        }
    }

    private boolean isOfUse(FrontQuery query, PartialResult partial) {
        return partial.completedAtMillis()
                < query.startedAtMillis() + config.record().expirationMillis();
    }

    public MemoCache memo() {
        return memo;
    }

    /** How long after its start late responses to the query are waited for, from now on. */
    public long leftMillis(FrontQuery query) {
        return Math.max(
                1,
                query.startedAtMillis()
                        + config.record().timeoutMillis()
                        - System.currentTimeMillis());
    }

    /** Queries that are under way or recorded. */
    public int open() {
        return book.size();
    }

    /** Queries that were not told of: too many at once, or the same id twice. */
    public long unmeasured() {
        return book.unmeasured();
    }

    /** Responses in which no items were found. */
    public long unreadable() {
        return unreadable.sum();
    }
}
