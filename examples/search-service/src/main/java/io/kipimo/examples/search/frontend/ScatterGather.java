package io.kipimo.examples.search.frontend;

import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.examples.search.index.Hits;
import io.kipimo.examples.search.protocol.ComponentResult;
import io.kipimo.examples.search.protocol.EpochMicros;
import io.kipimo.examples.search.protocol.Headers;
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
import io.kipimo.sdk.CompletenessClient;
import io.kipimo.sdk.trace.TraceParent;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The life of one query, from the invocation of its components to the last late result (Ubora, sec. 3).
 *
 * <p>All components are invoked at once, or only those that a model chooses. The answer leaves when the last of them
 * has settled, or at the deadline. It is the merge of the results that have arrived. For a sampled query with a
 * degraded answer, and for some other sampled queries, the partial results in the answer are emitted as ONLINE, and
 * later ones as MATURE. All methods run on the event loop of the user's connection.
 */
final class ScatterGather {
    private final Vertx vertx;
    private final HttpClient client;
    private final FrontEndSettings settings;
    private final Telemetry telemetry;
    private final GatheredQuery query;
    private final HttpServerResponse response;
    private final boolean sampled;
    private final FanOutChoice choice;
    private final long deadlineMicros;
    private final List<ComponentInvocation> calls = new ArrayList<>();
    private boolean answered;
    private long timer;

    /**
     * The query.
     *
     * @param traceState passed on to every component, as tracing does; may be empty
     * @param features by which a model may predict the components that contribute
     * @param startMicros intended start, epoch microseconds
     */
    record GatheredQuery(
            OfferedQuery offered,
            TraceParent trace,
            String traceState,
            String text,
            Features features,
            long startMicros) {
        String queryClass() {
            return offered.queryClass();
        }
    }

    private enum InvocationState {
        PENDING,
        RETURNED,
        /** The component dropped the query because the answer has left. This counts as timed out. */
        SHED,
        /** The front end chose not to ask the component. */
        NOT_ASKED,
        FAILED
    }

    /** State of one component's invocation; mutable. */
    private static final class ComponentInvocation {
        final ComponentAddress component;
        InvocationState state = InvocationState.PENDING;
        long invokedMicros;
        long settledMicros;
        Hits hits = Hits.NONE;

        ComponentInvocation(ComponentAddress component) {
            this.component = component;
        }
    }

    ScatterGather(
            Vertx vertx,
            HttpClient client,
            FrontEndSettings settings,
            List<ComponentAddress> components,
            Telemetry telemetry,
            GatheredQuery query,
            HttpServerResponse response) {
        this.vertx = vertx;
        this.client = client;
        this.settings = settings;
        this.telemetry = telemetry;
        this.query = query;
        this.response = response;
        sampled = telemetry.isSampled(query.trace.traceId(), query.startMicros / 1_000);
        deadlineMicros = query.startMicros + settings.deadline().toNanos() / 1_000;
        choice = telemetry.choose(
                query.offered,
                query.features,
                components.stream().map(ComponentAddress::name).toList());
        for (ComponentAddress component : components) {
            ComponentInvocation call = new ComponentInvocation(component);
            call.state =
                    choice.asked().contains(component.name()) ? InvocationState.PENDING : InvocationState.NOT_ASKED;
            calls.add(call);
        }
    }

    void run() {
        long now = EpochMicros.now();
        long leftMillis = (deadlineMicros - now) / 1_000;
        for (ComponentInvocation call : calls) {
            call.invokedMicros = now;
            call.settledMicros = now;
        }
        if (leftMillis > 0 || sampled) {
            invokeAll(leftMillis);
        }
        if (leftMillis > 0) {
            timer = vertx.setTimer(leftMillis, fired -> answer());
        } else {
            answer();
        }
    }

    private void invokeAll(long leftMillis) {
        String uri = "/search?k=" + settings.topK() + "&q=" + URLEncoder.encode(query.text, StandardCharsets.UTF_8);
        String traceParent = query.trace.format();
        for (ComponentInvocation call : calls) {
            if (call.state == InvocationState.NOT_ASKED) {
                continue;
            }
            RequestOptions options = new RequestOptions()
                    .setMethod(HttpMethod.GET)
                    .setHost("127.0.0.1")
                    .setPort(call.component.port())
                    .setURI(uri)
                    .setTimeout(settings.aware() ? settings.expirationWindow().toMillis() : leftMillis)
                    .putHeader(TraceParent.HEADER, traceParent)
                    .putHeader(Headers.CLASS, query.queryClass());
            if (!query.traceState.isEmpty()) {
                options.putHeader("tracestate", query.traceState);
            }
            if (settings.aware()) {
                options.putHeader(Headers.DEADLINE, Long.toString(deadlineMicros));
            }
            if (sampled) {
                options.putHeader(Headers.SAMPLED, "true");
            }
            client.request(options)
                    .compose(request -> request.send())
                    .onSuccess(reply -> read(call, reply))
                    .onFailure(error -> settle(call, InvocationState.FAILED));
        }
    }

    private void read(ComponentInvocation call, HttpClientResponse reply) {
        if (reply.statusCode() == 204) {
            settle(call, InvocationState.SHED);
        } else if (reply.statusCode() == 200) {
            reply.body()
                    .map(ComponentResult::decode)
                    .onSuccess(result -> onResult(call, result))
                    .onFailure(error -> settle(call, InvocationState.FAILED));
        } else {
            settle(call, InvocationState.FAILED);
        }
    }

    private void onResult(ComponentInvocation call, ComponentResult result) {
        boolean late = answered;
        call.hits = result.hits();
        settle(call, InvocationState.RETURNED);
        if (late && sampled) {
            onLate(call, result.workMicros());
        }
    }

    private void settle(ComponentInvocation call, InvocationState state) {
        if (call.state != InvocationState.PENDING) {
            return;
        }
        call.state = state;
        call.settledMicros = EpochMicros.now();
        if (!answered && calls.stream().allMatch(other -> other.state != InvocationState.PENDING)) {
            vertx.cancelTimer(timer);
            answer();
        }
    }

    private void answer() {
        answered = true;
        long now = EpochMicros.now();
        List<Invocation> invocations = calls.stream()
                .map(call -> new Invocation(call.component.name(), outcome(call), latencyMicros(call, now)))
                .toList();
        List<Hits> inTime = calls.stream()
                .filter(call -> call.state == InvocationState.RETURNED)
                .map(call -> call.hits)
                .toList();
        telemetry
                .predictedCompleteness(query.queryClass(), invocations)
                .ifPresent(
                        quality -> response.putHeader(CompletenessClient.HEADER, CompletenessClient.format(quality)));
        response.putHeader("content-type", "application/json")
                .putHeader(Headers.COVERAGE, inTime.size() + "/" + calls.size())
                .end(json(inTime));
        telemetry.answered(query.offered, invocations, notAskedLoss());
        if (sampled) {
            emit(invocations, now);
        }
    }

    /** Quality that the choice of components is expected to lose; empty: all are asked. */
    private Optional<Double> notAskedLoss() {
        return choice.asked().size() == calls.size() ? Optional.empty() : Optional.of(choice.expectedLoss());
    }

    private void emit(List<Invocation> invocations, long now) {
        Answer answer = AnswerBuilder.builder()
                .service(settings.service())
                .queryId(query.trace.traceId())
                .queryClass(query.queryClass())
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(query.startMicros / 1_000)
                .answeredAtMillis(now / 1_000)
                .deadlineMillis((int) settings.deadline().toMillis())
                .topK(settings.topK())
                .invocations(invocations)
                .items(Items.NONE)
                .features(query.features)
                .notAskedLoss(notAskedLoss())
                .explored(choice.explored())
                .build();
        telemetry.answer(answer);
        if (telemetry.wantsPartials(answer)) {
            calls.stream()
                    .filter(call -> call.state == InvocationState.RETURNED)
                    .forEach(call -> telemetry.partial(partial(call, Phase.ONLINE)));
        }
    }

    private void onLate(ComponentInvocation call, long workMicros) {
        long lateMicros = Math.max(0, call.settledMicros - deadlineMicros);
        telemetry.lateResult(query.queryClass(), Math.min(workMicros, lateMicros));
        long expiresMicros = query.startMicros + settings.expirationWindow().toNanos() / 1_000;
        if (call.settledMicros < expiresMicros) {
            telemetry.partial(partial(call, Phase.MATURE));
        }
    }

    private PartialResult partial(ComponentInvocation call, Phase phase) {
        return PartialResultBuilder.builder()
                .service(settings.service())
                .queryId(query.trace.traceId())
                .component(call.component.name())
                .server(settings.server())
                .phase(phase)
                .completedAtMillis(call.settledMicros / 1_000)
                .latencyMicros(call.settledMicros - call.invokedMicros)
                .items(call.hits.toItems())
                .startedAtMillis(query.startMicros / 1_000)
                .build();
    }

    private Buffer json(List<Hits> inTime) {
        Hits best = Hits.merge(inTime, settings.topK());
        JsonArray items = new JsonArray();
        for (int i = 0; i < best.size(); i++) {
            items.add(new JsonObject().put("id", best.ids()[i]).put("score", best.scores()[i]));
        }
        return new JsonObject()
                .put("traceId", query.trace.traceId())
                .put("components", calls.size())
                .put("coverage", inTime.size())
                .put("items", items)
                .toBuffer();
    }

    private static Outcome outcome(ComponentInvocation call) {
        return switch (call.state) {
            case RETURNED -> Outcome.IN_TIME;
            case PENDING, SHED -> Outcome.TIMED_OUT;
            case FAILED -> Outcome.FAILED;
            case NOT_ASKED -> Outcome.NOT_ASKED;
        };
    }

    private static long latencyMicros(ComponentInvocation call, long now) {
        return (call.state == InvocationState.PENDING ? now : call.settledMicros) - call.invokedMicros;
    }
}
