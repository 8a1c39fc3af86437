package io.kipimo.gateway;

import java.util.List;

/** Values on a gateway's metrics page. */
final class Metrics {
    private Metrics() {}

    /**
     * The value of one series.
     *
     * @param series name and labels in the form of the page
     */
    static double of(Gateway gateway, String series) {
        List<Double> found = gateway.metrics()
                .lines()
                .filter(line -> line.startsWith(series + ' '))
                .map(line -> Double.valueOf(line.substring(series.length() + 1)))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(series + " is not in\n" + gateway.metrics());
        }
        return found.get(0);
    }

    static double ignored(Gateway gateway, String listener, String reason) {
        return of(gateway, "kipimo_gateway_ignored_total{listener=\"%s\",reason=\"%s\"}".formatted(listener, reason));
    }

    static double failedReplays(Gateway gateway, String reason) {
        return of(gateway, "kipimo_gateway_replays_failed_total{reason=\"" + reason + "\"}");
    }

    /** The series of replays that failed, by reason; empty: none did. */
    static List<String> failedReplays(Gateway gateway) {
        return gateway.metrics()
                .lines()
                .filter(line -> line.startsWith("kipimo_gateway_replays_failed_total{") && !line.endsWith(" 0.0"))
                .toList();
    }
}
