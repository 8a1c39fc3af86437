package io.kipimo.loadgen.http;

import io.kipimo.loadgen.workload.Probe;
import io.kipimo.loadgen.workload.RequestOutcome;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.schemas.completeness.ToldCompleteness;
import io.kipimo.schemas.field.Decimals;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP end point. Its state is not restored, because GET is safe. One event loop sends and receives everything, so a
 * generator uses at most one core. Answers with a status other than 2xx or 3xx count as failed.
 */
public final class HttpTarget implements Target {
    /** Limit of connections. Closed connections occupy ports, of which there are about 28,000. */
    private static final int CONNECTIONS = 8_192;

    private static final int CONNECT_MILLIS = 2_000;

    private final HttpTargetSettings settings;
    private final Template url;
    private final Map<String, Template> headers = new LinkedHashMap<>();
    private final Vertx vertx;
    private final HttpClient client;
    private final Context loop;
    private boolean answered;

    public HttpTarget(HttpTargetSettings settings) {
        this.settings = settings;
        this.url = new Template(settings.url(), settings.lines(), true);
        settings.headers().forEach((name, value) -> headers.put(name, new Template(value, settings.lines(), false)));
        this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        this.client = vertx.createHttpClient(
                new HttpClientOptions().setConnectTimeout(CONNECT_MILLIS).setKeepAlive(true),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS));
        this.loop = vertx.getOrCreateContext();
    }

    /**
     * {@inheritDoc}
     *
     * @throws java.io.UncheckedIOException if nothing answers at the address when the target is first opened; later on,
     *     silence is an effect of the load
     */
    @Override
    public Workload open(Share share) {
        if (!answered) {
            URI address = settings.address();
            int standard = "https".equals(address.getScheme()) ? 443 : 80;
            int port = address.getPort() < 0 ? standard : address.getPort();
            Probe.connect(address.getHost(), port, CONNECT_MILLIS);
            answered = true;
        }
        // Its end keeps connections for the next experiment.
        return HttpUser::new;
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private final class HttpUser extends Template.TemplateUser {
        private volatile long lagMicros;

        HttpUser(long number, long seed) {
            super(number, seed);
        }

        @Override
        public CompletionStage<RequestOutcome> request() {
            Template.TemplateRequest filled = next();
            RequestOptions options = new RequestOptions()
                    .setMethod(HttpMethod.GET)
                    .setAbsoluteURI(url.fill(filled))
                    .setTimeout(settings.timeOutMillis());
            headers.forEach((name, value) -> options.putHeader(name, value.fill(filled)));
            CompletableFuture<RequestOutcome> outcome = new CompletableFuture<>();
            long asked = System.nanoTime();
            loop.runOnContext(ready -> {
                lagMicros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - asked);
                client.request(options)
                        .compose(request -> request.send())
                        .compose(response -> response.end().map(response))
                        .onComplete(ended ->
                                outcome.complete(ended.succeeded() ? outcome(ended.result()) : RequestOutcome.FAILED));
            });
            return outcome;
        }

        @Override
        public long lagMicros() {
            return lagMicros;
        }
    }

    private RequestOutcome outcome(HttpClientResponse response) {
        int status = response.statusCode();
        if (status < 200 || status >= 400) {
            return RequestOutcome.FAILED;
        }
        List<String> qualities = settings.qualityHeader().isEmpty()
                ? List.of()
                : response.headers().getAll(settings.qualityHeader());
        return qualities.isEmpty()
                ? RequestOutcome.ANSWERED
                : new RequestOutcome(false, false, false, quality(String.join(",", qualities)));
    }

    /**
     * Parses the quality in a response header: a number, a fraction such as {@code 3/4}, or the text by which a gateway
     * tells how complete its answer is ({@link ToldCompleteness}); NaN for any other text.
     */
    static double quality(String text) {
        Optional<ToldCompleteness> told = ToldCompleteness.parse(text);
        if (told.isPresent()) {
            return told.get().shownQuality();
        }
        int slash = text.indexOf('/');
        double value = slash < 0
                ? Decimals.parse(text.strip())
                : Decimals.parse(text.substring(0, slash).strip())
                        / Decimals.parse(text.substring(slash + 1).strip());
        return value >= 0 && value <= 1 ? value : Double.NaN;
    }
}
