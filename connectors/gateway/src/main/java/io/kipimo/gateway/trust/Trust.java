package io.kipimo.gateway.trust;

import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.config.Role;
import io.kipimo.gateway.http.TraceState;
import io.kipimo.gateway.metrics.RouteCounts;
import io.kipimo.gateway.metrics.RouteCounts.Ignored;
import io.kipimo.sdk.trace.TraceParent;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * What a listener believes of its callers.
 *
 * <p>Trusted callers name trace ids and classes. Of anybody else the trace is restarted (W3C Trace
 * Context, level 2, sec. 3.4), the class is the listener's, and who is admitted hangs on what
 * neither a retry nor a new connection changes. Whoever calls, a replay is one only with a token of
 * this fleet.
 */
public final class Trust {
    private static final String ADMISSION = "admission";
    private static final String FORWARDED_FOR = "x-forwarded-for";

    /** Draws of an id; with a fraction of 0.01 one of 10^43 requests gets none that is admitted. */
    private static final int MOST_DRAWS = 10_000;

    private final ListenerConfig listener;
    private final Set<String> classes;
    private final List<String> credentials;
    private final FleetSecret secret;
    private final ReplayTokens tokens;
    private final RouteCounts counts;

    /** Who has seen ids must not know the next ones. */
    private final SecureRandom secure = new SecureRandom();

    public Trust(
            GatewayConfig gateway,
            ListenerConfig listener,
            FleetSecret secret,
            RouteCounts counts) {
        this.listener = listener;
        this.classes = gateway.classes().keySet();
        this.credentials = gateway.trust().credentialHeaders();
        this.secret = secret;
        this.tokens = new ReplayTokens(secret);
        this.counts = counts;
    }

    /**
     * What is believed of a request.
     *
     * @param caller its address, as digits
     * @param nowMillis epoch milliseconds
     */
    public Claims claims(MultiMap headers, String caller, long nowMillis) {
        boolean isTrusted =
                listener.trustedCallers().stream().anyMatch(range -> range.contains(caller));
        List<String> parents = headers.getAll(TraceParent.HEADER);
        Optional<TraceParent> named =
                parents.size() == 1 ? TraceParent.parse(parents.get(0)) : Optional.empty();
        Optional<TraceParent> believed = isTrusted ? named : Optional.empty();
        if (!parents.isEmpty() && believed.isEmpty()) {
            counts.count(isTrusted ? Ignored.TRACE_MALFORMED : Ignored.TRACE_OF_OUTSIDER);
        }
        TraceParent trace =
                believed.orElseGet(
                        () -> started(named, isTrusted ? ThreadLocalRandom.current() : secure));
        // A tier tells servers of no trace that its caller did not tell of.
        boolean isReplaced =
                believed.isEmpty()
                        && (listener.role() != Role.TIER || (!isTrusted && !parents.isEmpty()));
        List<String> states = headers.getAll(TraceState.HEADER);
        Optional<TraceState> state = TraceState.parse(states);
        boolean isReplay = isReplay(state, believed, isTrusted, nowMillis);
        List<String> classesNamed = headers.getAll(listener.classHeader());
        boolean namesClass = isTrusted && classesNamed.size() <= 1;
        if (!namesClass && !classesNamed.isEmpty()) {
            counts.count(Ignored.CLASS);
        }
        return new Claims(
                isTrusted,
                trace,
                // A replay that is none says nothing new of its query.
                believed.isPresent()
                        && (isReplay || state.map(s -> s.own().isEmpty()).orElse(true)),
                isReplay && listener.role() == Role.COMPONENT,
                namesClass && !classesNamed.isEmpty() && classes.contains(classesNamed.get(0))
                        ? classesNamed.get(0)
                        : listener.defaultClass(),
                isReplaced ? Optional.of(trace.format()) : Optional.empty(),
                forwarded(states, state, !isTrusted || isReplaced, isReplay),
                // Servers behind must not believe what is not believed here.
                namesClass ? Optional.empty() : Optional.of(listener.defaultClass()));
    }

    private static TraceParent started(Optional<TraceParent> named, RandomGenerator random) {
        return named.map(before -> before.restart(random))
                .orElseGet(() -> TraceParent.start(random));
    }

    /** Whether {@code tracestate} has a token of this fleet for this query. */
    private boolean isReplay(
            Optional<TraceState> state,
            Optional<TraceParent> query,
            boolean isTrusted,
            long nowMillis) {
        if (state.isEmpty()) {
            counts.count(Ignored.TRACESTATE_MALFORMED);
            return false;
        }
        List<String> own = state.get().own();
        if (own.isEmpty()) {
            return false;
        }
        if (!isTrusted || listener.role() == Role.FRONT) {
            counts.count(Ignored.REPLAY_MISPLACED);
            return false;
        }
        if (own.size() > 1 || query.isEmpty()) {
            counts.count(Ignored.REPLAY_FORGED);
            return false;
        }
        return switch (tokens.check(own.get(0), query.get().traceId(), nowMillis)) {
            case VALID -> true;
            case FORGED -> {
                counts.count(Ignored.REPLAY_FORGED);
                yield false;
            }
            case EXPIRED -> {
                counts.count(Ignored.REPLAY_EXPIRED);
                yield false;
            }
        };
    }

    /** What goes on of {@code tracestate}; empty: all of it, as it is. */
    private static Optional<String> forwarded(
            List<String> lines, Optional<TraceState> state, boolean isRestarted, boolean isReplay) {
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        if (isRestarted || state.isEmpty()) {
            return Optional.of("");
        }
        return isReplay || state.get().own().isEmpty()
                ? Optional.empty()
                : Optional.of(state.get().without().format());
    }

    /**
     * What decides whether an outsider's request is admitted, instead of its trace id: for a minute
     * the same for the same caller, method and target. Nobody outside can compute it.
     *
     * @param caller its address, as digits
     * @param nowMillis epoch milliseconds
     * @return 32 hexadecimal digits
     */
    public String draw(
            MultiMap headers, String caller, String method, String target, long nowMillis) {
        List<byte[]> parts = new ArrayList<>();
        add(parts, Long.toString(nowMillis / TimeUnit.MINUTES.toMillis(1)));
        add(parts, caller);
        add(parts, method);
        add(parts, target);
        // Callers behind one address must not all be shed together.
        addAll(parts, headers.getAll(FORWARDED_FOR));
        credentials.forEach(name -> addAll(parts, headers.getAll(name)));
        return HexFormat.of().formatHex(secret.sign(ADMISSION, parts), 0, 16);
    }

    /**
     * An admitted outsider's request, under a trace id that is admitted, too: tiers behind go by
     * that.
     *
     * @param admits whether an id is admitted
     */
    public Claims admitted(Claims claims, Predicate<String> admits) {
        Claims admitted = claims;
        for (int i = 0; i < MOST_DRAWS && !admits.test(admitted.trace().traceId()); i++) {
            admitted = claims.withTrace(claims.trace().restart(secure));
        }
        return admitted;
    }

    private static void add(List<byte[]> parts, String text) {
        parts.add(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void addAll(List<byte[]> parts, List<String> texts) {
        add(parts, Integer.toString(texts.size()));
        texts.forEach(text -> add(parts, text));
    }

    /** The value in {@code tracestate} of requests of a query that is run once more. */
    public String replayToken(String queryId, long expiresMillis) {
        return tokens.issue(queryId, expiresMillis);
    }
}
