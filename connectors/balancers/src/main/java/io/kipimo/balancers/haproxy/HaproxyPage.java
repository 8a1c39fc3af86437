package io.kipimo.balancers.haproxy;

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
 * kipimo_haproxy_disconnected                          1: HAProxy cannot be updated
 * kipimo_haproxy_admitted_fraction{class=}             fraction as last read from HAProxy
 * kipimo_haproxy_decision_age_seconds{class=}          since the newest decision; before the first, since the start
 * kipimo_haproxy_decisions_refused_total{reason=}
 * kipimo_haproxy_writes_total, _repairs_total, _faults_total
 * </pre>
 */
public final class HaproxyPage {
    private static final String PREFIX = "kipimo_haproxy_";

    private HaproxyPage() {}

    /**
     * Starts the server; it accepts requests when this returns.
     *
     * @param port 0: any free port
     * @throws IOException if the port cannot be opened
     */
    public static PageServer start(
            String host, int port, HaproxyAdapter adapter, AdmissionClient admission, Collection<String> classes)
            throws IOException, InterruptedException {
        List<String> names = List.copyOf(classes);
        return PageServer.ofMetrics(
                host, port, () -> page(adapter, admission, names).toString());
    }

    private static Exposition page(HaproxyAdapter adapter, AdmissionClient admission, List<String> classes) {
        Exposition page = new Exposition()
                .gauge(PREFIX + "disconnected", "1: HAProxy cannot be updated.", adapter.isConnected() ? 0 : 1);
        adapter.inForce()
                .forEach((name, millionths) -> page.gauge(
                        PREFIX + "admitted_fraction",
                        "As last read from HAProxy, 0..1.",
                        millionths / 1e6,
                        "class",
                        name));
        DecisionFigures.add(page, PREFIX, admission, classes);
        return page.counter(PREFIX + "writes_total", "Writes to the map.", adapter.writes())
                .counter(
                        PREFIX + "repairs_total",
                        "Values of the map that something else had changed and that were repaired.",
                        adapter.repairs())
                .counter(PREFIX + "faults_total", "Failed commands to HAProxy.", adapter.faults());
    }
}
