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
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.trace.TraceParent;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Tells the measuring jobs what it sees of queries: at the front, when an answer left; at the
 * components, who answered in time, who late, and who was given up. It tells the same as a service
 * that embeds the sdk does.
 *
 * <p>An answer is complete only if that was seen: every component that each query asks was asked,
 * all that were asked gave a good response before the answer left, and all could be read that is to
 * be. Otherwise a component failed, or nobody can tell the quality.
 *
 * <p>Front and components of a query have to pass through the same gateway for its answer to be
 * told with what became of each component. Behind a front end that tells of its answers itself,
 * components may have gateways of their own.
 */
public final class QueryRecorder {
    private static final int MOST_QUERIES = 100_000;

    private final GatewayConfig config;
    private final Control control;
    private final ItemReaders readers;
    private final MemoCache memo;
    private final QueryBook book = new QueryBook(MOST_QUERIES);
    private final LongAdder answered = new LongAdder();
    private final Map<Unmeasurable, LongAdder> unmeasurable = new EnumMap<>(Unmeasurable.class);

    /** Components that every query asks. */
    private final Set<String> askedByAll;

    public QueryRecorder(
            GatewayConfig config, Control control, ItemReaders readers, MemoCache memo) {
        this.config = config;
        this.control = control;
        this.readers = readers;
        this.memo = memo;
        askedByAll =
                config.listeners().stream()
                        .filter(ListenerConfig::isAskedByAll)
                        .map(ListenerConfig::name)
                        .collect(Collectors.toUnmodifiableSet());
        for (Unmeasurable reason : Unmeasurable.values()) {
            unmeasurable.put(reason, new LongAdder());
        }
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

    /** Whether the response of a query at a listener is looked into. */
    public boolean wantsBody(FrontQuery query, ListenerConfig listener) {
        return readers.of(listener)
                .filter(reader -> reader.looksIntoAll() || wantsItems(query))
                .isPresent();
    }

    private static boolean wantsItems(FrontQuery query) {
        return query.isSampled() && !query.isReplay();
    }

    /**
     * An answer left.
     *
     * @param status of the answer, or what the caller got instead of one
     * @param response empty: it was too large, not wanted, or none came
     * @return whether a component is missing from it that running the query once more may bring
     */
    public boolean answered(
            FrontQuery query,
            ListenerConfig front,
            int status,
            Optional<RecordedResponse> response) {
        List<Invocation> invocations = query.answer(System.nanoTime());
        ResponseReading reading =
                RecordedResponse.isSuccess(status) && wantsBody(query, front)
                        ? readers.of(front).orElseThrow().read(response, wantsItems(query))
                        : ResponseReading.NOT_LOOKED;
        Optional<Unmeasurable> reason = whyUnmeasurable(query, status, invocations, reading);
        answered.increment();
        reason.ifPresent(why -> unmeasurable.get(why).increment());
        control.answered(query.queryClass(), invocations, reason);
        if (!query.isSampled()) {
            book.close(query);
            return false;
        }
        Answer answer =
                answer(query, front, AnswerKind.ONLINE, invocations, reading.items(), reason);
        control.emit(answer);
        if (reason.isPresent()) {
            query.unmeasurable();
            return false;
        }
        if (control.wantsPartials(answer)) {
            query.takeOnline().forEach(control::emit);
        }
        return answer.isDegraded();
    }

    private Optional<Unmeasurable> whyUnmeasurable(
            FrontQuery query, int status, List<Invocation> invocations, ResponseReading reading) {
        if (!RecordedResponse.isSuccess(status)) {
            return Optional.of(Unmeasurable.FAILED_ANSWER);
        }
        // A component that is missing explains the cut, and its result will show what it cost.
        if (reading.isCut() && areInTime(invocations)) {
            return Optional.of(Unmeasurable.CUT);
        }
        if (!areAsked(invocations)) {
            return Optional.of(
                    askedByAll.isEmpty() ? Unmeasurable.NO_COMPONENTS : Unmeasurable.NOT_ASKED);
        }
        return reading.isReadable() && !query.isUnreadable()
                ? Optional.empty()
                : Optional.of(Unmeasurable.UNREADABLE);
    }

    private static boolean areInTime(List<Invocation> invocations) {
        return invocations.stream().allMatch(i -> i.outcome() == Outcome.IN_TIME);
    }

    /** Whether some component was asked, and each that every query asks. */
    private boolean areAsked(List<Invocation> invocations) {
        Set<String> asked =
                invocations.stream().map(Invocation::component).collect(Collectors.toSet());
        return !asked.isEmpty() && asked.containsAll(askedByAll);
    }

    /**
     * A query that was run once more is answered.
     *
     * @param response empty: it was too large
     * @return empty: its answer is mature, and has been told
     */
    public Optional<ReplayFailure> replayed(
            FrontQuery replay,
            ListenerConfig front,
            int status,
            Optional<RecordedResponse> response) {
        List<Invocation> invocations = replay.answer(System.nanoTime());
        if (!RecordedResponse.isSuccess(status)) {
            return Optional.of(ReplayFailure.STATUS);
        }
        if (!areAsked(invocations)) {
            return Optional.of(ReplayFailure.NOT_ASKED);
        }
        if (!areInTime(invocations)) {
            return Optional.of(ReplayFailure.INCOMPLETE);
        }
        ResponseReading reading =
                readers.of(front)
                        .map(reader -> reader.read(response, true))
                        .orElse(ResponseReading.NOT_LOOKED);
        if (reading.isCut() || !reading.isReadable()) {
            return Optional.of(reading.isCut() ? ReplayFailure.CUT : ReplayFailure.UNREADABLE);
        }
        control.emit(
                answer(
                        replay,
                        front,
                        AnswerKind.REPLAYED,
                        List.of(),
                        reading.items(),
                        Optional.empty()));
        return Optional.empty();
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
            Items items,
            Optional<Unmeasurable> unmeasurable) {
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
                false,
                unmeasurable);
    }

    /**
     * A component is asked by a query that is told of.
     *
     * @param repeatable whether the request may be sent more than once
     */
    public Optional<ComponentCall> invoked(
            ListenerConfig component, TraceParent trace, boolean isReplay, boolean repeatable) {
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
                .flatMap(query -> invoked(component, query, repeatable));
    }

    private Optional<ComponentCall> invoked(
            ListenerConfig component, FrontQuery query, boolean repeatable) {
        return switch (query.invoked(component.name(), System.nanoTime())) {
            case FIRST -> Optional.of(new ComponentCall(this, component, query, true, repeatable));
            case FURTHER ->
                    Optional.of(new ComponentCall(this, component, query, false, repeatable));
            case IGNORED -> Optional.empty();
        };
    }

    /** A replay got what the component answered the first time. */
    void served(ListenerConfig component, FrontQuery replay, boolean isFirst) {
        if (isFirst) {
            replay.returned(component.name(), System.nanoTime(), true);
        } else {
            replay.returnedFurther(component.name());
        }
    }

    /** A component answered one more request of a query. */
    void returnedFurther(
            ListenerConfig component,
            FrontQuery query,
            int status,
            Optional<RecordedResponse> response) {
        if (!RecordedResponse.isSuccess(status)) {
            return;
        }
        boolean isWhole =
                readers.of(component)
                        .filter(ResponseReader::looksIntoAll)
                        .map(reader -> reader.read(response, false))
                        .map(reading -> reading.isReadable() && !reading.isCut())
                        .orElse(true);
        if (isWhole) {
            query.returnedFurther(component.name());
        }
    }

    /**
     * A component answered.
     *
     * @return whether it gave all that it has, and that could be read
     */
    boolean returned(
            ListenerConfig component,
            FrontQuery query,
            int status,
            Optional<RecordedResponse> response) {
        long now = System.nanoTime();
        if (!RecordedResponse.isSuccess(status)) {
            query.failed(component.name(), now);
            return false;
        }
        ResponseReading reading =
                wantsBody(query, component)
                        ? readers.of(component).orElseThrow().read(response, wantsItems(query))
                        : ResponseReading.NOT_LOOKED;
        if (reading.isCut()) {
            // No late result comes of what it left out.
            query.failed(component.name(), now);
            return false;
        }
        boolean inTime = query.returned(component.name(), now, reading.isReadable());
        if (!wantsItems(query)) {
            return reading.isReadable();
        }
        if (!inTime) {
            control.lateResult(query.queryClass(), query.lateMicros(now));
        }
        if (reading.isReadable() && readers.of(component).isPresent()) {
            emit(query, partial(component, query, inTime, reading.items(), now));
        }
        return reading.isReadable();
    }

    private void emit(FrontQuery query, PartialResult partial) {
        boolean kept = partial.phase() == Phase.ONLINE && query.keep(partial);
        if (!kept && !query.isUnmeasurable() && isOfUse(query, partial)) {
            control.emit(partial);
        }
    }

    private PartialResult partial(
            ListenerConfig component,
            FrontQuery query,
            boolean inTime,
            Items items,
            long nowNanos) {
        return new PartialResult(
                config.service(),
                query.trace().traceId(),
                component.name(),
                config.server(),
                inTime ? Phase.ONLINE : Phase.MATURE,
                System.currentTimeMillis(),
                query.latencyMicros(component.name(), nowNanos),
                items,
                false,
                query.knownStartMillis());
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

    /** Answers that were told of, measurable or not. */
    public long answered() {
        return answered.sum();
    }

    /** Those of them whose quality nobody can tell. */
    public long unmeasurable(Unmeasurable reason) {
        return unmeasurable.get(reason).sum();
    }

    /** Responses at a listener that could not be read; empty: they are not looked into. */
    public Map<Unreadable, Long> unreadable(ListenerConfig listener) {
        Map<Unreadable, Long> counts = new EnumMap<>(Unreadable.class);
        readers.of(listener)
                .ifPresent(
                        reader -> {
                            for (Unreadable why : Unreadable.values()) {
                                counts.put(why, reader.unreadable(why));
                            }
                        });
        return counts;
    }

    /** Responses at a listener that say of themselves that work was cut short. */
    public long cut(ListenerConfig listener) {
        return readers.of(listener).map(ResponseReader::cut).orElse(0L);
    }
}
