package io.kipimo.otlp;

import io.kipimo.http.PageServer;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.internal.exposition.Exposition;
import io.kipimo.sdk.internal.net.Address;
import java.io.IOException;
import java.util.Locale;

/** Serves a receiver's {@code /metrics}, in Prometheus' text format, and {@code /healthz}. */
public final class OtlpPage {
    private static final String PREFIX = "kipimo_otlp_";

    private OtlpPage() {}

    /**
     * Starts the server. It accepts requests when this method returns.
     *
     * @param listen address to listen on; port 0: any free port
     * @throws IOException if the port cannot be opened
     */
    public static PageServer start(Address listen, OtlpReceiver receiver) throws IOException, InterruptedException {
        return PageServer.ofMetrics(
                listen.host(), listen.port(), () -> page(receiver).toString());
    }

    static Exposition page(OtlpReceiver receiver) {
        OtlpCounts counts = receiver.counts();
        Exposition page = new Exposition();
        for (OtlpCounts.Spans what : OtlpCounts.Spans.values()) {
            page.counter(
                    PREFIX + "spans_total",
                    "Spans; received counts all of them.",
                    counts.of(what),
                    "result",
                    label(what));
        }
        page.counter(
                        PREFIX + "requests_refused_total",
                        "Requests that were answered with an error.",
                        counts.refusedBodies())
                .counter(
                        PREFIX + "traces_evicted_total",
                        "Traces that were dropped for lack of room.",
                        receiver.evictedTraces())
                .gauge(PREFIX + "traces_held", "Traces that wait for further spans.", receiver.heldTraces())
                .gauge(PREFIX + "held_bytes", "Size of their spans, bytes.", (double) receiver.heldBytes())
                .counter(PREFIX + "queries_total", "Queries in traces.", counts.queries());
        for (OtlpCounts.Traces what : OtlpCounts.Traces.values()) {
            page.counter(PREFIX + "traces_total", "Traces that were decided.", counts.of(what), "result", label(what));
        }
        for (Unmeasurable reason : Unmeasurable.values()) {
            page.counter(
                    PREFIX + "queries_unmeasurable_total",
                    "Queries that are not measurable, by reason.",
                    counts.of(reason),
                    "reason",
                    label(reason));
        }
        return page;
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
