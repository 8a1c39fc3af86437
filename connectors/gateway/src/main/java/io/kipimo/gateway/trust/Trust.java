package io.kipimo.gateway.trust;

import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.config.Role;
import io.kipimo.gateway.http.TraceState;
import io.kipimo.gateway.metrics.RouteCounts;
import io.kipimo.gateway.metrics.RouteCounts.Ignored;
import io.kipimo.schemas.quality.Features;
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
 * Decides which claims of callers a listener accepts.
 *
 * <p>Trusted callers may set trace ids and classes. For others the trace is restarted (W3C Trace Context, level 2, sec.
 * 3.4), the class is the default of the listener, and admission depends on properties that neither a retry nor a new
 * connection changes. A replay needs a token of this fleet, whoever the caller is.
 */
public final class Trust {
    private static final String ADMISSION = "admission";
    private static final String FORWARDED_FOR = "x-forwarded-for";

    /** Greatest number of random ids to try. With a fraction of 0.01, one request in 10^43 finds no admitted id. */
    private static final int MOST_DRAWS = 10_000;

    private final ListenerConfig listener;
    private final Set<String> classes;
    private final List<String> credentials;
    private final FleetSecret secret;
    private final ReplayTokens tokens;
    private final RouteCounts counts;

    /** A secure generator, because past ids must not reveal future ones. */
    private final SecureRandom secure = new SecureRandom();

    public Trust(GatewayConfig gateway, ListenerConfig listener, FleetSecret secret, RouteCounts counts) {
        this.listener = listener;
        this.classes = gateway.classes().keySet();
        this.credentials = gateway.trust().credentialHeaders();
        this.secret = secret;
        this.tokens = new ReplayTokens(secret);
        this.counts = counts;
    }

    /**
     * The accepted claims of a request.
     *
     * @param caller its address, as digits
     * @param nowMillis epoch milliseconds
     */
    public Claims claims(MultiMap headers, String caller, long nowMillis) {
        boolean isTrusted = listener.trustedCallers().stream().anyMatch(range -> range.contains(caller));
        List<String> parents = headers.getAll(TraceParent.HEADER);
        Optional<TraceParent> named = parents.size() == 1 ? TraceParent.parse(parents.get(0)) : Optional.empty();
        List<String> ownIds = listener.traceHeader().isEmpty() ? List.of() : headers.getAll(listener.traceHeader());
        Optional<TraceParent> own =
                isTrusted && ownIds.size() == 1 && !ownIds.get(0).isBlank()
                        ? Optional.of(OwnIds.trace(ownIds.get(0), named, ThreadLocalRandom.current()))
                        : Optional.empty();
        Optional<TraceParent> believed = isTrusted ? own.or(() -> named) : Optional.empty();
        if (!(parents.isEmpty() && ownIds.isEmpty()) && believed.isEmpty()) {
            counts.count(isTrusted ? Ignored.TRACE_MALFORMED : Ignored.TRACE_OF_OUTSIDER);
        }
        TraceParent trace = believed.orElseGet(() -> started(named, isTrusted ? ThreadLocalRandom.current() : secure));
        // A tier adds no trace of its own.
        boolean isReplaced = believed.isEmpty() && (listener.role() != Role.TIER || (!isTrusted && !parents.isEmpty()));
        List<String> states = headers.getAll(TraceState.HEADER);
        Optional<TraceState> state = TraceState.parse(states);
        boolean isReplay = isReplay(state, believed, isTrusted, nowMillis);
        List<String> classesNamed = headers.getAll(listener.classHeader());
        boolean namesClass = isTrusted && classesNamed.size() <= 1;
        if (!namesClass && !classesNamed.isEmpty()) {
            counts.count(Ignored.CLASS);
        }
        return ClaimsBuilder.builder()
                .isTrusted(isTrusted)
                .trace(trace)
                // An invalid replay must not affect the records of its query.
                .isOfQuery(believed.isPresent()
                        && (isReplay || state.map(s -> s.own().isEmpty()).orElse(true)))
                .isReplay(isReplay && listener.role() == Role.COMPONENT)
                .queryClass(
                        namesClass && !classesNamed.isEmpty() && classes.contains(classesNamed.get(0))
                                ? classesNamed.get(0)
                                : listener.defaultClass())
                .traceParent(
                        isReplaced || (own.isPresent() && listener.role() != Role.TIER)
                                ? Optional.of(trace.format())
                                : Optional.empty())
                .traceState(forwarded(states, state, !isTrusted || isReplaced, isReplay))
                // Gateways downstream must not take an outsider's id.
                .traceHeader(isTrusted || ownIds.isEmpty() ? Optional.empty() : Optional.of(trace.traceId()))
                // Servers downstream must not accept a claim that was rejected here.
                .classHeader(namesClass ? Optional.empty() : Optional.of(listener.defaultClass()))
                .cost(isTrusted ? Claims.cost(headers.get(Claims.COST_HEADER)) : 0)
                .features(isTrusted ? Claims.features(headers.get(Claims.FEATURES_HEADER)) : Features.NONE)
                .build();
    }

    private static TraceParent started(Optional<TraceParent> named, RandomGenerator random) {
        return named.map(before -> before.restart(random)).orElseGet(() -> TraceParent.start(random));
    }

    /** Whether {@code tracestate} has a token of this fleet for this query. */
    private boolean isReplay(
            Optional<TraceState> state, Optional<TraceParent> query, boolean isTrusted, long nowMillis) {
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

    /** The {@code tracestate} to forward; empty: the caller's, unchanged. */
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
     * The key by which an untrusted request is admitted, instead of its trace id. Callers cannot compute it. For a
     * minute, requests of the same caller, method, target, body, forwarded addresses and credentials have the same one.
     *
     * @param caller the caller's address, as digits
     * @param body empty: none, or it is no part of the query
     * @param nowMillis epoch milliseconds
     * @return 32 hexadecimal digits
     */
    public String draw(MultiMap headers, String caller, String method, String target, byte[] body, long nowMillis) {
        List<byte[]> parts = new ArrayList<>();
        add(parts, Long.toString(nowMillis / TimeUnit.MINUTES.toMillis(1)));
        add(parts, caller);
        add(parts, method);
        add(parts, target);
        parts.add(body);
        // Callers that share an address must not all be shed together.
        addAll(parts, headers.getAll(FORWARDED_FOR));
        credentials.forEach(name -> addAll(parts, headers.getAll(name)));
        return HexFormat.of().formatHex(secret.sign(ADMISSION, parts), 0, 16);
    }

    /**
     * Gives an admitted untrusted request a trace id that is admitted too, because tiers downstream decide by the id.
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

    /** The token in {@code tracestate} of requests of a replay. */
    public String replayToken(String queryId, long expiresMillis) {
        return tokens.issue(queryId, expiresMillis);
    }
}
