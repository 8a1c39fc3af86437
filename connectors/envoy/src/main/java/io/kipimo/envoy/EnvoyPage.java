package io.kipimo.envoy;

import io.kipimo.http.PageServer;
import io.kipimo.sdk.AdmissionClient;
import io.kipimo.sdk.internal.exposition.DecisionFigures;
import io.kipimo.sdk.internal.exposition.Exposition;
import java.io.IOException;
import java.util.Collection;
import java.util.List;

/**
 * {@code /metrics} of an adapter, in Prometheus' text format, and {@code /healthz}:
 *
 * <pre>
 * kipimo_envoy_disconnected                          1: no Envoy is subscribed
 * kipimo_envoy_subscribed, _behind                   subscribed Envoys; those that have not confirmed
 * kipimo_envoy_rejections_total                      versions that an Envoy refused
 * kipimo_envoy_connections_refused_total             connections closed at once because there were too many
 * kipimo_envoy_layer{key=}                           the current layer, 0..1
 * kipimo_envoy_decision_age_seconds{class=}          since the newest decision; before the first, since the start
 * kipimo_envoy_decisions_refused_total{reason=}
 * </pre>
 */
public final class EnvoyPage {
    private static final String PREFIX = "kipimo_envoy_";

    private EnvoyPage() {}

    /**
     * Starts the server; it accepts requests when this returns.
     *
     * @param port 0: any free port
     * @throws IOException if the port cannot be opened
     */
    public static PageServer start(
            String host, int port, EnvoyAdapter adapter, AdmissionClient admission, Collection<String> classes)
            throws IOException, InterruptedException {
        List<String> names = List.copyOf(classes);
        return PageServer.ofMetrics(
                host, port, () -> page(adapter, admission, names).toString());
    }

    private static Exposition page(EnvoyAdapter adapter, AdmissionClient admission, List<String> classes) {
        Exposition page = new Exposition()
                .gauge(PREFIX + "disconnected", "1: no Envoy is subscribed.", adapter.connected() == 0 ? 1 : 0)
                .gauge(PREFIX + "subscribed", "Subscribed Envoys.", adapter.connected())
                .gauge(
                        PREFIX + "behind",
                        "Subscribed Envoys that have not confirmed the current version.",
                        adapter.behind())
                .counter(PREFIX + "rejections_total", "Versions that an Envoy refused.", adapter.rejections())
                .counter(
                        PREFIX + "connections_refused_total",
                        "Connections closed at once because there were too many.",
                        adapter.refusedConnections());
        adapter.layer()
                .forEach((key, millionths) ->
                        page.gauge(PREFIX + "layer", "The current layer, 0..1.", millionths / 1e6, "key", key));
        DecisionFigures.add(page, PREFIX, admission, classes);
        return page;
    }
}
