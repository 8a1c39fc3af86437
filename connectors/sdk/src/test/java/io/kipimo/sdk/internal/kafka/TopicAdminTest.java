package io.kipimo.sdk.internal.kafka;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.sdk.kafka.BrokerUnavailableException;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TopicAdminTest {
    @Test
    void anAbsentBrokerIsNamedInOneLine() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        KafkaSettings nobody = KafkaSettings.of("127.0.0.1:" + port);
        assertThatExceptionOfType(BrokerUnavailableException.class)
                .isThrownBy(() -> TopicAdmin.awaitBroker(nobody, Duration.ofMillis(300)))
                .withMessage("cannot connect: Kafka at 127.0.0.1:" + port + " gave no answer within 300 ms");
    }

    @Test
    void aHostWithoutAddressIsNamedInOneLine() {
        KafkaSettings nobody = KafkaSettings.of("no-such-host.invalid:9092");
        assertThatExceptionOfType(BrokerUnavailableException.class)
                .isThrownBy(() -> TopicAdmin.awaitBroker(nobody, Duration.ofMillis(300)))
                .withMessageContaining("Kafka at no-such-host.invalid:9092 failed");
    }

    @Test
    void impossibleNumbersAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TopicAdmin.createMissing(KafkaSettings.of("b:1"), -1, (short) 0))
                .withMessageContaining("partitions is -1, replication 0");
    }
}
