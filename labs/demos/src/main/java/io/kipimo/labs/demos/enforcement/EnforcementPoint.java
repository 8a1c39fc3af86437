package io.kipimo.labs.demos.enforcement;

import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.simulator.report.Phrase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * An enforcement point in front of a service. It sheds queries according to decisions, and the service itself sheds
 * nothing.
 */
public interface EnforcementPoint extends AutoCloseable {
    /**
     * The class and servers behind the enforcement point.
     *
     * @param floor least admitted fraction, above 0, at most 1
     * @param servers ports on 127.0.0.1 by name; admitted queries go to them in turn
     */
    record Guarded(
            KafkaSettings kafka, String service, String queryClass, double floor, SortedMap<String, Integer> servers) {
        /** One line of text per server, made by a format for its name and port. */
        String lines(String format) {
            return servers.entrySet().stream()
                    .map(s -> Phrase.of(format, s.getKey(), s.getValue()))
                    .collect(Collectors.joining("\n"));
        }
    }

    /** Port on 127.0.0.1 for queries. */
    int port();

    /** The admitted fraction in force, as the enforcement point reports it; NaN: not reported. */
    double admitted();

    /** Counts of the enforcement point, as one line of text. */
    String figures();

    @Override
    void close();

    /**
     * Starts an enforcement point; returns when it serves.
     *
     * @param directory for its files
     * @throws IOException if it fails to start
     */
    static EnforcementPoint open(EnforcementKind through, Guarded guarded, Path directory) throws IOException {
        return switch (through) {
            case SDK -> throw new IllegalArgumentException("the service sheds by itself with the SDK");
            case GATEWAY -> GatewayEnforcement.open(guarded, directory);
            case HAPROXY -> HaproxyEnforcement.open(guarded, directory);
            case ENVOY -> EnvoyEnforcement.open(guarded, directory);
        };
    }
}
