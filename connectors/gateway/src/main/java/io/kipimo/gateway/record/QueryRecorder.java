package io.kipimo.gateway.record;

import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.index.IndexFacts;
import io.kipimo.schemas.completeness.ToldCompleteness;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.internal.control.Control;
import io.kipimo.sdk.internal.exposition.EventCounts;
import io.kipimo.sdk.trace.TraceParent;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records queries for the measuring jobs. At the front it records when the answer was sent; at the components, which
 * ones answered in time, late, or not at all. The events equal those of a service that embeds the SDK.
 *
 * <p>An answer counts as complete only with evidence: every mandatory component was invoked, every invoked component
 * responded successfully before the answer left, the answer left before its deadline, if that is known, and every
 * response that is parsed was readable. Otherwise a component failed, or the answer is not measurable.
 *
 * <p>An engine's answer is evidence by itself: it names what is missing, and has no components at this gateway.
 *
 * <p>An answer lists its invocations only if front end and components of the query pass through the same gateway. If
 * the front end records its answers itself, each component may have its own gateway.
 */
public final class QueryRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(QueryRecorder.class);
    private static final int MOST_QUERIES = 100_000;

    /**
     * Component that stands for the exact search. If an engine's whole answers are also run again, every answer counts
     * as lacking this component.
     */
    private static final String EXACT = "exact";

    private final GatewayConfig config;
    private final Control control;
    private final ItemReaders readers;
    private final MemoCache memo;
    private final QueryBook book = new QueryBook(MOST_QUERIES);
    private final LongAdder answered = new LongAdder();
    private final EventCounts reasons = new EventCounts(Unmeasurable.values(), FanOutChoice.Reason.values());

    private final Map<String, Complaints> complaints;

    /** Watches over unmeasured requests, by listener; only for listeners with {@code only}. */
    private final Map<String, PassedRequests> passed;

    /** Components that every query invokes. */
    private final Set<String> askedByAll;

    /** Components that every query invokes, in the order of their names. */
    private final List<String> components;

    public QueryRecorder(GatewayConfig config, Control control, ItemReaders readers, MemoCache memo) {
        this.config = config;
        this.control = control;
        this.readers = readers;
        this.memo = memo;
        askedByAll = config.listeners().stream()
                .filter(ListenerConfig::isAskedByAll)
                .map(ListenerConfig::name)
                .collect(Collectors.toUnmodifiableSet());
        components = askedByAll.stream().sorted().toList();
        complaints = config.listeners().stream()
                .collect(Collectors.toUnmodifiableMap(
                        ListenerConfig::name,
                        listener -> new Complaints(listener.name(), LOG::warn, System::nanoTime)));
        passed = config.listeners().stream()
                .filter(listener -> !listener.only().isEmpty())
                .collect(Collectors.toUnmodifiableMap(
                        ListenerConfig::name,
                        listener -> new PassedRequests(listener.only(), complaints.get(listener.name()))));
    }

    /**
     * Notes a request to a listener with {@code only}.
     *
     * @param isQuery whether it is measured; otherwise it passes
     * @param target path and query
     */
    public void came(ListenerConfig listener, boolean isQuery, String method, String target) {
        PassedRequests requests = passed.get(listener.name());
        if (isQuery) {
            requests.query();
        } else {
            requests.passed(method, target);
        }
    }

    /**
     * Begins a query; empty: it is not recorded.
     *
     * @param cost predicted; 0: unknown
     * @param features features by which the components to ask are chosen; empty: the query is sent as it is
     */
    public Optional<FrontQuery> begin(TraceParent trace, String queryClass, double cost, Optional<Features> features) {
        long now = System.currentTimeMillis();
        FrontQuery query =
                new FrontQuery(trace, queryClass, now, control.isSampled(trace.traceId(), now), false).costing(cost);
        features.ifPresent(known -> {
            FanOutChoice choice = control.choose(queryClass, trace.traceId(), known, components);
            reasons.count(choice.reason());
            query.asking(known, components, choice);
        });
        return book.open(query) ? Optional.of(query) : Optional.empty();
    }

    /** Components that every query asks unless it leaves them out, in the order of their names. */
    public List<String> components() {
        return components;
    }

    /** Whether a query under way leaves a component out; replays ask all. */
    public boolean isNotAsked(ListenerConfig component, TraceParent trace, boolean isReplay) {
        return !isReplay
                && book.find(trace.traceId())
                        .filter(query -> query.isNotAsked(component.name()))
                        .isPresent();
    }

    /**
     * The items of a response to one of several copies; empty: it is no evidence.
     *
     * @param demand what the response must have
     */
    public Optional<Items> items(ListenerConfig listener, Demand demand, RecordedResponse response) {
        return response.isSuccess()
                ? readers.of(listener).flatMap(reader -> reader.items(response, demand))
                : Optional.empty();
    }

    /** Begins the replay of a query under the same id; empty: a query with that id is under way. */
    public Optional<FrontQuery> beginReplay(FrontQuery query) {
        FrontQuery replay = new FrontQuery(query.trace(), query.queryClass(), query.startedAtMillis(), true, true);
        return book.open(replay) ? Optional.of(replay) : Optional.empty();
    }

    /** Whether the body of a response to the query is parsed at a listener. */
    public boolean wantsBody(FrontQuery query, ListenerConfig listener) {
        return readers.of(listener)
                .filter(reader -> reader.looksIntoAll() || wantsItems(query))
                .isPresent();
    }

    private static boolean wantsItems(FrontQuery query) {
        return query.isSampled() && !query.isReplay();
    }

    /**
     * Determines what the answer to a request must have to be evidence.
     *
     * @param target path and query
     * @param codings values of the header of content codings
     * @param isForm whether the body is a form
     * @param body empty: none
     * @param facts what is known of the index that is asked
     */
    public Demand demand(
            ListenerConfig front, String target, List<String> codings, boolean isForm, byte[] body, IndexFacts facts) {
        return readers.of(front)
                .map(reader -> reader.demand(target, codings, isForm, body, facts))
                .orElse(Demand.NONE);
    }

    /**
     * Records an answer.
     *
     * @param demand what the answer must have
     * @param status status of the answer, or of the response that the caller got instead of one
     * @param response empty: too large, not needed, or none
     */
    public RecordedAnswer answered(
            FrontQuery query, ListenerConfig front, Demand demand, int status, Optional<RecordedResponse> response) {
        List<Invocation> asked = query.answer(System.nanoTime());
        ResponseReading reading = RecordedResponse.isSuccess(status) && wantsBody(query, front)
                ? readers.of(front).orElseThrow().read(response, wantsItems(query) || front.tell(), demand)
                : ResponseReading.NOT_LOOKED;
        List<Invocation> invocations = withParts(query, front, asked, reading);
        Optional<Unmeasurable> reason = front.engine().isPresent()
                ? whyUnmeasurable(front, status, invocations, reading)
                : whyUnmeasurable(query, front, status, invocations, reading);
        ToldCompleteness told = RecordedAnswer.completeness(
                reason,
                invocations.stream().filter(i -> !isExactSearch(front, i)).toList(),
                reading,
                front.replay().filter(replay -> replay.ofClean() > 0).isEmpty());
        answered.increment();
        reason.ifPresent(reasons::count);
        if (reason.equals(Optional.of(Unmeasurable.NOT_ASKED))) {
            complain(
                    front,
                    Unmeasurable.NOT_ASKED,
                    "a component was not asked: the front end must pass traceparent on, and"
                            + " ask through the gateway; or set optional");
        }
        query.answeredBy(control.variant(query.variant()));
        Optional<Double> notAskedLoss = notAskedLoss(query, invocations);
        control.answered(query.queryClass(), query.variant(), invocations, reason, query.cost(), notAskedLoss);
        if (reading.isListed()) {
            control.listed(query.queryClass(), query.variant(), reading.items().size());
        }
        if (!query.isSampled()) {
            book.close(query);
            return new RecordedAnswer(false, told);
        }
        if (reason.isEmpty() && isUndrawn(query, front, reading)) {
            // Counted, but not a sample: without a mature answer its quality is unknown.
            return new RecordedAnswer(false, told);
        }
        Answer answer = AnswerBuilder.builder(
                        answer(query, front, AnswerKind.ONLINE, invocations, reading.items(), reason))
                .features(query.features())
                .notAskedLoss(notAskedLoss)
                .explored(query.choice().filter(FanOutChoice::explored).isPresent())
                .build();
        control.emit(answer);
        if (reason.isPresent()) {
            query.unmeasurable();
            return new RecordedAnswer(false, told);
        }
        if (control.wantsPartials(answer)) {
            query.takeOnline().forEach(control::emit);
        }
        return new RecordedAnswer(answer.isDegraded(), told);
    }

    private void complain(ListenerConfig listener, Enum<?> kind, String why) {
        complaints.get(listener.name()).say(kind, why);
    }

    /** The invocations, then the parts of an engine of which its answer tells. */
    private static List<Invocation> withParts(
            FrontQuery query, ListenerConfig front, List<Invocation> asked, ResponseReading reading) {
        if (reading.parts().isEmpty()) {
            return asked;
        }
        long micros = query.ageMicros();
        Map<String, Invocation> all = new LinkedHashMap<>();
        asked.forEach(one -> all.put(one.component(), one));
        reading.parts()
                .forEach(part ->
                        all.putIfAbsent(part.component(), new Invocation(part.component(), part.outcome(), micros)));
        if (front.replay().orElseThrow().ofClean() > 0) {
            all.putIfAbsent(EXACT, new Invocation(EXACT, Outcome.TIMED_OUT, micros));
        }
        return List.copyOf(all.values());
    }

    private static boolean isExactSearch(ListenerConfig front, Invocation invocation) {
        return front.replay().isPresent() && invocation.component().equals(EXACT);
    }

    /**
     * Whether an engine's answer is whole and was not drawn to be run again. False if the listener runs no whole
     * answers again.
     */
    private static boolean isUndrawn(FrontQuery query, ListenerConfig front, ResponseReading reading) {
        return front.replay().filter(replay -> replay.ofClean() > 0).isPresent()
                && reading.parts().stream().allMatch(part -> part.outcome() == Outcome.IN_TIME)
                && !front.replay().orElseThrow().draws(query.trace().traceId());
    }

    /** Why an engine's answer cannot be measured; empty: it can. */
    private static Optional<Unmeasurable> whyUnmeasurable(
            ListenerConfig front, int status, List<Invocation> invocations, ResponseReading reading) {
        if (!RecordedResponse.isSuccess(status)) {
            return Optional.of(Unmeasurable.FAILED_ANSWER);
        }
        if (!reading.isReadable()) {
            return Optional.of(Unmeasurable.UNREADABLE);
        }
        if (reading.list() == ListEvidence.NONE_ASKED
                || (reading.list() == ListEvidence.NOT_REQUESTED && !areInTime(invocations))) {
            return Optional.of(Unmeasurable.NO_LIST);
        }
        // What is not run again has no mature answer.
        return front.runsAgain() || areInTime(invocations) ? Optional.empty() : Optional.of(Unmeasurable.CUT);
    }

    private Optional<Unmeasurable> whyUnmeasurable(
            FrontQuery query, ListenerConfig front, int status, List<Invocation> invocations, ResponseReading reading) {
        if (!RecordedResponse.isSuccess(status)) {
            return Optional.of(Unmeasurable.FAILED_ANSWER);
        }
        // A missing component explains the cut, and its late result will show the loss.
        if (reading.isCut() && areInTime(invocations)) {
            return Optional.of(Unmeasurable.CUT);
        }
        if (!areAsked(invocations)) {
            return Optional.of(askedByAll.isEmpty() ? Unmeasurable.NO_COMPONENTS : Unmeasurable.NOT_ASKED);
        }
        if (!reading.isReadable() || query.isUnreadable()) {
            return Optional.of(Unmeasurable.UNREADABLE);
        }
        // The items of a degraded answer are compared with those of its replay, whatever was used.
        if ((areInTime(invocations) || !config.record().replay()) && query.mayLackResults(front.deadlineMillis())) {
            complain(
                    front,
                    Unmeasurable.CUT,
                    "an answer left at its deadline or later, so it may lack results that arrived before; if the front"
                            + " end waits longer, raise deadline");
            return Optional.of(Unmeasurable.CUT);
        }
        return Optional.empty();
    }

    /** Whether every component that was asked answered in time. */
    private static boolean areInTime(List<Invocation> invocations) {
        return invocations.stream().noneMatch(i -> i.outcome().isLate());
    }

    /** Expected loss by components that the query did not ask; empty: it asked all. */
    private static Optional<Double> notAskedLoss(FrontQuery query, List<Invocation> invocations) {
        return query.choice()
                .filter(choice -> invocations.stream().anyMatch(i -> i.outcome() == Outcome.NOT_ASKED))
                .map(FanOutChoice::expectedLoss);
    }

    /** Whether at least one component was invoked, and every mandatory one. */
    private boolean areAsked(List<Invocation> invocations) {
        Set<String> asked = invocations.stream().map(Invocation::component).collect(Collectors.toSet());
        return !asked.isEmpty() && asked.containsAll(askedByAll);
    }

    /**
     * Records the answer to the replay of a query.
     *
     * @param demand what the answer must have
     * @param response empty: it was too large
     * @return empty: the answer is mature and has been emitted
     */
    public Optional<ReplayFailure> replayed(
            FrontQuery replay, ListenerConfig front, Demand demand, int status, Optional<RecordedResponse> response) {
        Optional<ReplayFailure> failure = failure(replay, front, demand, status, response);
        if (failure.equals(Optional.of(ReplayFailure.CUT))) {
            complain(
                    front,
                    ReplayFailure.CUT,
                    "a replay was cut once more: take the limit away by replay.set-parameters or replay.set-fields");
        } else if (failure.equals(Optional.of(ReplayFailure.NOT_ASKED))) {
            complain(
                    front,
                    ReplayFailure.NOT_ASKED,
                    "in a replay a component was not asked: the front end must pass tracestate on");
        }
        return failure;
    }

    private Optional<ReplayFailure> failure(
            FrontQuery replay, ListenerConfig front, Demand demand, int status, Optional<RecordedResponse> response) {
        List<Invocation> invocations = replay.answer(System.nanoTime());
        if (!RecordedResponse.isSuccess(status)) {
            return Optional.of(ReplayFailure.STATUS);
        }
        if (front.engine().isEmpty() && !areAsked(invocations)) {
            return Optional.of(ReplayFailure.NOT_ASKED);
        }
        if (!areInTime(invocations)) {
            return Optional.of(ReplayFailure.INCOMPLETE);
        }
        if (front.engine().isEmpty() && replay.mayLackResults(front.deadlineMillis())) {
            return Optional.of(ReplayFailure.LATE);
        }
        ResponseReading reading = readers.of(front)
                .map(reader -> reader.read(response, true, demand))
                .orElse(ResponseReading.NOT_LOOKED);
        if (reading.parts().stream().anyMatch(part -> part.outcome() == Outcome.FAILED)) {
            return Optional.of(ReplayFailure.INCOMPLETE);
        }
        if (reading.isCut() || !reading.isReadable()) {
            return Optional.of(reading.isCut() ? ReplayFailure.CUT : ReplayFailure.UNREADABLE);
        }
        if (reading.list() != ListEvidence.SHOWN) {
            return Optional.of(ReplayFailure.NO_LIST);
        }
        control.emit(answer(replay, front, AnswerKind.REPLAYED, List.of(), reading.items(), Optional.empty()));
        return Optional.empty();
    }

    /** Ends the recording of a query. No further event of it is expected. */
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
        return AnswerBuilder.builder()
                .service(config.service())
                .queryId(query.trace().traceId())
                .queryClass(query.queryClass())
                .kind(kind)
                .startedAtMillis(query.startedAtMillis())
                .answeredAtMillis(System.currentTimeMillis())
                .deadlineMillis(front.deadlineMillis())
                .topK(front.topK())
                .invocations(invocations)
                .items(items)
                .unmeasurable(unmeasurable)
                .variant(query.variant())
                .build();
    }

    /**
     * Begins a recorded query's call of a component; empty: the call is not recorded.
     *
     * @param repeatable whether the request may be sent more than once
     */
    public Optional<ComponentCall> invoked(
            ListenerConfig component, TraceParent trace, boolean isReplay, boolean repeatable) {
        Optional<FrontQuery> known = book.find(trace.traceId());
        if (known.isEmpty()) {
            long now = System.currentTimeMillis();
            boolean sampled = !isReplay && control.isSampled(trace.traceId(), now);
            known = sampled
                    ? Optional.of(FrontQuery.elsewhere(trace, component.defaultClass(), now))
                    : Optional.empty();
        }
        return known.filter(query -> query.isReplay() == isReplay)
                .flatMap(query -> invoked(component, query, repeatable));
    }

    private Optional<ComponentCall> invoked(ListenerConfig component, FrontQuery query, boolean repeatable) {
        return switch (query.invoked(component.name(), System.nanoTime())) {
            case FIRST -> Optional.of(new ComponentCall(this, component, query, true, repeatable));
            case FURTHER -> Optional.of(new ComponentCall(this, component, query, false, repeatable));
            case IGNORED -> Optional.empty();
        };
    }

    /** Records that a replay received a component's response from the memo cache. */
    void served(ListenerConfig component, FrontQuery replay, boolean isFirst) {
        if (isFirst) {
            replay.returned(component.name(), System.nanoTime(), true);
        } else {
            replay.returnedFurther(component.name());
        }
    }

    /** Records that a component answered a further request of a query. */
    void returnedFurther(ListenerConfig component, FrontQuery query, int status, Optional<RecordedResponse> response) {
        if (!RecordedResponse.isSuccess(status)) {
            return;
        }
        boolean isWhole = readers.of(component)
                .filter(ResponseReader::looksIntoAll)
                .map(reader -> reader.read(response, false, Demand.NONE))
                .map(reading -> reading.isReadable() && !reading.isCut())
                .orElse(true);
        if (isWhole) {
            query.returnedFurther(component.name());
        }
    }

    /**
     * Records that a component answered.
     *
     * @return whether the response is complete and readable
     */
    boolean returned(ListenerConfig component, FrontQuery query, int status, Optional<RecordedResponse> response) {
        long now = System.nanoTime();
        if (!RecordedResponse.isSuccess(status)) {
            query.failed(component.name(), now);
            return false;
        }
        ResponseReading reading = wantsBody(query, component)
                ? readers.of(component).orElseThrow().read(response, wantsItems(query), Demand.NONE)
                : ResponseReading.NOT_LOOKED;
        if (reading.isCut()) {
            // The part that it left out will not arrive late.
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
            ListenerConfig component, FrontQuery query, boolean inTime, Items items, long nowNanos) {
        return PartialResultBuilder.builder()
                .service(config.service())
                .queryId(query.trace().traceId())
                .component(component.name())
                .server(config.server())
                .phase(inTime ? Phase.ONLINE : Phase.MATURE)
                .completedAtMillis(System.currentTimeMillis())
                .latencyMicros(query.latencyMicros(component.name(), nowNanos))
                .items(items)
                .startedAtMillis(query.knownStartMillis())
                .build();
    }

    private boolean isOfUse(FrontQuery query, PartialResult partial) {
        return partial.completedAtMillis()
                < query.startedAtMillis() + config.record().expirationMillis();
    }

    public MemoCache memo() {
        return memo;
    }

    /** Remaining time for late responses to the query, milliseconds. */
    public long leftMillis(FrontQuery query) {
        return Math.max(1, query.startedAtMillis() + config.record().timeoutMillis() - System.currentTimeMillis());
    }

    /** Queries in progress, or waiting for late responses. */
    public int open() {
        return book.size();
    }

    /** Queries that were not recorded: too many at once, or a duplicate id. */
    public long unmeasured() {
        return book.unmeasured();
    }

    /** Answers that were recorded, measurable or not. */
    public long answered() {
        return answered.sum();
    }

    /** Recorded answers that are not measurable, by reason. */
    public long unmeasurable(Unmeasurable reason) {
        return reasons.of(reason);
    }

    /** Choices of the components that a query asks, by their reason. */
    public long choices(FanOutChoice.Reason reason) {
        return reasons.of(reason);
    }

    /** Unreadable responses at a listener; empty: responses are not parsed. */
    public Map<Unreadable, Long> unreadable(ListenerConfig listener) {
        Map<Unreadable, Long> counts = new EnumMap<>(Unreadable.class);
        readers.of(listener).ifPresent(reader -> {
            for (Unreadable why : Unreadable.values()) {
                counts.put(why, reader.unreadable(why));
            }
        });
        return counts;
    }

    /** Responses at a listener that carry a sign of work cut short. */
    public long cut(ListenerConfig listener) {
        return readers.of(listener).map(ResponseReader::cut).orElse(0L);
    }
}
