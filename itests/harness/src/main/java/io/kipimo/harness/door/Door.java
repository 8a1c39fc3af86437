package io.kipimo.harness.door;

import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.nio.file.Path;

/** Stands before a port, and admits what decisions say; the service behind it sheds nothing. */
public interface Door extends AutoCloseable {
    /**
     * What is guarded.
     *
     * @param floor least admitted fraction, above 0, at most 1
     * @param serverPort of 127.0.0.1, where admitted queries go
     */
    record Guarded(
            KafkaSettings kafka, String service, String queryClass, double floor, int serverPort) {}

    /** Of 127.0.0.1, where queries come in. */
    int port();

    /** The admitted fraction that it acts upon, as it says itself; NaN: it does not say. */
    double admitted();

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
    static Door open(Through through, Guarded guarded, Path directory) throws IOException {
        return switch (through) {
            case SDK ->
                    throw new IllegalArgumentException("the service sheds by itself with the SDK");
            case GATEWAY -> GatewayDoor.open(guarded, directory);
            case HAPROXY -> HaproxyDoor.open(guarded, directory);
            case ENVOY -> EnvoyDoor.open(guarded, directory);
        };
    }
}
