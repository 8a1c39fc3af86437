package io.kipimo.examples.enforcement;

import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Stands before a port, and admits what decisions say; the service behind it sheds nothing. */
public interface EnforcementPoint extends AutoCloseable {
    /**
     * What is guarded.
     *
     * @param floor least admitted fraction, above 0, at most 1
     * @param servers that admitted queries go to in turn, by name; ports of 127.0.0.1
     */
    record Guarded(
            KafkaSettings kafka,
            String service,
            String queryClass,
            double floor,
            SortedMap<String, Integer> servers) {
        /** One line a server, with its name and its port. */
        String lines(String format) {
            return servers.entrySet().stream()
                    .map(s -> String.format(Locale.ROOT, format, s.getKey(), s.getValue()))
                    .collect(Collectors.joining("\n"));
        }
    }

    /** Of 127.0.0.1, where queries come in. */
    int port();

    /** The admitted fraction that it acts upon, as it says itself; NaN: it does not say. */
    double admitted();

    /** How servers of it are given more or less of the traffic by hand; empty: it has no way. */
    default Optional<String> weightsSocket() {
        return Optional.empty();
    }

    /** What it counted, in one line for people. */
    String figures();

    @Override
    void close();

    /**
     * Opens one; it serves when this returns.
     *
     * @param directory for its files
     * @throws IOException if it does not start
     */
    static EnforcementPoint open(EnforcementKind through, Guarded guarded, Path directory)
            throws IOException {
        return switch (through) {
            case SDK ->
                    throw new IllegalArgumentException("the service sheds by itself with the SDK");
            case GATEWAY -> GatewayEnforcement.open(guarded, directory);
            case HAPROXY -> HaproxyEnforcement.open(guarded, directory);
            case ENVOY -> EnvoyEnforcement.open(guarded, directory);
        };
    }
}
