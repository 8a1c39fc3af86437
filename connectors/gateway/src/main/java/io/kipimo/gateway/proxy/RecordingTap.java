package io.kipimo.gateway.proxy;

import io.kipimo.gateway.config.Role;
import io.kipimo.gateway.record.ComponentCall;
import io.kipimo.gateway.record.Demand;
import io.kipimo.gateway.record.FrontQuery;
import io.kipimo.gateway.record.MemoKey;
import io.kipimo.gateway.record.RecordedAnswer;
import io.kipimo.gateway.record.RecordedResponse;
import io.kipimo.schemas.completeness.ToldCompleteness;
import io.kipimo.schemas.quality.Features;
import java.util.List;
import java.util.Optional;

/**
 * Records an exchange: at the front as a query with its answer, at a component as a call with its response. Other
 * exchanges are not recorded.
 */
final class RecordingTap {
    private final Route route;
    private final InboundRequest request;
    private final Optional<FrontQuery> query;

    /** The request as servers get it. */
    private final InboundRequest sent;

    private final boolean isNotAsked;
    private final Optional<ComponentCall> call;
    private final boolean recordsLate;
    private final boolean wantsBody;
    private final boolean tells;
    private final boolean comparesCopies;
    private final Optional<MemoKey> memoKey;
    private final long startNanos = System.nanoTime();

    /**
     * Starts the recording of an exchange.
     *
     * @param isRepeatable whether the request may be sent more than once
     */
    RecordingTap(Route route, InboundRequest request, boolean isRepeatable) {
        this.route = route;
        this.request = request;
        boolean isReplay = request.isReplay();
        query = isRepeatable && route.is(Role.FRONT)
                ? route.recorder()
                        .begin(
                                request.trace(),
                                request.queryClass(),
                                request.claims().cost(),
                                features(route, request))
                : Optional.empty();
        sent = query.flatMap(FrontQuery::choice)
                .map(choice -> naming(choice.asked()))
                .orElse(request);
        boolean isOfQuery = route.is(Role.COMPONENT) && request.claims().isOfQuery();
        isNotAsked = isOfQuery
                && route.config().notAsked().isPresent()
                && route.recorder().isNotAsked(route.config(), request.trace(), isReplay);
        call = isOfQuery && !isNotAsked
                ? route.recorder().invoked(route.config(), request.trace(), isReplay, isRepeatable)
                : Optional.empty();
        recordsLate = call.isPresent() && call.get().isRecorded();
        tells = route.config().tell()
                && route.config().mayRepeat(request.http().method().name(), request.target());
        wantsBody = recordsLate
                || holdsAnswer()
                || (call.isPresent() && call.get().wantsBody())
                || (query.isPresent() && route.recorder().wantsBody(query.get(), route.config()));
        comparesCopies = !isReplay
                && route.config().arbitration().compareMillis() > 0
                && route.config().items().isPresent()
                && (recordsLate || query.filter(FrontQuery::isSampled).isPresent());
        memoKey = (recordsLate || isReplay) && !request.body().isStreamed()
                ? Optional.of(MemoLookup.key(route, request))
                : Optional.empty();
    }

    /** Features by which the components are chosen; empty: the query asks its components as it arrived. */
    private static Optional<Features> features(Route route, InboundRequest request) {
        return route.config()
                .fanOut()
                .flatMap(fanOut -> AskedComponents.features(
                        fanOut,
                        request.claims().features(),
                        request.target(),
                        request.http().headers(),
                        request.body().kept(),
                        route.gateway().record().bodyBytes()));
    }

    /** The request with the components to ask in its target, if the engine supports that. */
    private InboundRequest naming(List<String> asked) {
        return route.config()
                .fanOut()
                .filter(fanOut -> fanOut.rewrite().isPresent())
                .map(fanOut -> request.to(AskedComponents.target(request.target(), fanOut, asked)))
                .orElse(request);
    }

    /** The request as servers get it. */
    InboundRequest sent() {
        return sent;
    }

    /** Whether the query does not ask this component, so the listener answers in its place. */
    boolean isNotAsked() {
        return isNotAsked;
    }

    /** Whether a response is recorded although the caller has left. */
    boolean recordsLate() {
        return recordsLate;
    }

    /** Whether the body of the response is kept while it passes through. */
    boolean wantsBody() {
        return wantsBody;
    }

    /** Whether the caller is told whether the answer is whole. */
    boolean tells() {
        return tells;
    }

    /** Whether the answer is held until it is whole, because only then its head can tell. */
    boolean holdsAnswer() {
        return tells && query.isPresent();
    }

    /** Whether the responses of losing copies are compared with the winner's. */
    boolean comparesCopies() {
        return comparesCopies;
    }

    /** Remaining time for a late response, milliseconds. */
    long lateMillis() {
        return call.orElseThrow().leftMillis();
    }

    /** Key of the request in the memo cache; empty: the cache is neither read nor written. */
    Optional<MemoKey> memoKey() {
        return memoKey;
    }

    /** Records that the component's response came from the memo cache. */
    void callServed() {
        call.ifPresent(ComponentCall::served);
    }

    /**
     * Records that the component's response has arrived completely. Call this before the component's caller has all of
     * it.
     */
    void callReturned(ServerCopy copy) {
        call.ifPresent(c -> c.returned(copy.status(), recorded(copy), memoKey));
    }

    /** Records that the caller of the component gave up. */
    void callAbandoned() {
        call.ifPresent(ComponentCall::abandoned);
    }

    /** Records that the component will not respond. */
    void callFailed() {
        call.ifPresent(ComponentCall::failed);
    }

    /**
     * Records that the query's answer has arrived. Must be called before the caller has all of it.
     *
     * @return whether the answer is complete
     */
    ToldCompleteness queryAnswered(ServerCopy copy) {
        return query.map(q -> {
                    String header = route.config().variantHeader();
                    String variant = header.isEmpty() ? null : copy.response().getHeader(header);
                    if (variant != null) {
                        q.answeredBy(variant);
                    }
                    return answered(q, copy.status(), recorded(copy));
                })
                .orElse(ToldCompleteness.UNKNOWN);
    }

    /** Records that the query was answered with an error. */
    void queryFailed(int status) {
        query.ifPresent(q -> answered(q, status, Optional.empty()));
    }

    /** Records that the query's caller left. */
    void queryAbandoned() {
        query.ifPresent(route.recorder()::end);
    }

    private Optional<RecordedResponse> recorded(ServerCopy copy) {
        return wantsBody && copy.isWhole() ? Optional.of(copy.body().of(copy.response())) : Optional.empty();
    }

    private ToldCompleteness answered(FrontQuery front, int status, Optional<RecordedResponse> recorded) {
        route.replays().answered(route, (System.nanoTime() - startNanos) / 1_000);
        Demand demand = Demanded.by(
                route,
                request.target(),
                request.http().headers(),
                request.body().kept());
        RecordedAnswer answer = route.recorder().answered(front, route.config(), demand, status, recorded);
        if (front.isSampled()) {
            settle(route, front, answer.lacksSome() ? replay(front) : Optional.empty());
        }
        return answer.completeness();
    }

    /** The query as it arrived, if it may be replayed and there is room for it. */
    private Optional<ReplayRequest> replay(FrontQuery front) {
        return Optional.of(new ReplayRequest(
                        front,
                        request.http().method(),
                        replayed(front).target(),
                        request.headers(route),
                        request.body().kept()))
                .filter(kept -> route.replays().keep(route, kept));
    }

    /** The request to replay. It asks all components, also if the query left some out. */
    private InboundRequest replayed(FrontQuery front) {
        return front.choice().isPresent() ? naming(route.recorder().components()) : request;
    }

    /**
     * Ends the query and offers its replay when no late response is expected any more. The method is static, so that
     * the wait does not keep the exchange in memory.
     */
    private static void settle(Route route, FrontQuery front, Optional<ReplayRequest> replay) {
        front.whenSettled(() -> {
            route.recorder().end(front);
            replay.ifPresent(request -> route.replays().offer(route, request));
        });
    }
}
