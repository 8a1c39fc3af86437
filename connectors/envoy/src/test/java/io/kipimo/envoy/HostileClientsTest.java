package io.kipimo.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.http.HostileClients;
import io.kipimo.http.PageServer;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HostileClientsTest {
    private static EnvoyAdapter adapter() throws Exception {
        return EnvoyAdapter.start(
                EnvoyAdapter.Enforcing.of("127.0.0.1", 0, List.of(), List.of("web")), c -> 1, tier -> 1);
    }

    @Test
    void thePageAnswersMeanwhile() throws Exception {
        // No Kafka is there; the page says so.
        KipimoConfig config = KipimoConfig.builder("shop", "envoy-1", KafkaSettings.of("127.0.0.1:1"))
                .queryClass("low", ClassDefaults.ALL)
                .build();
        try (Kipimo kipimo = Kipimo.connect(config);
                EnvoyAdapter adapter = adapter();
                PageServer page = EnvoyPage.start("127.0.0.1", 0, adapter, kipimo.admission(), List.of())) {
            HostileClients.attack(page.port(), "/metrics");
        }
    }

    @Test
    @Timeout(60)
    void whoConnectsAndSaysNothingIsDisconnected() throws Exception {
        try (EnvoyAdapter adapter = adapter();
                Socket silent = new Socket(InetAddress.getLoopbackAddress(), adapter.port())) {
            // The server's own greeting comes first.
            silent.getInputStream().transferTo(OutputStream.nullOutputStream());
            assertThat(adapter.connected()).isZero();
        }
    }

    @Test
    @Timeout(60)
    void connectionsAreBoundedBeforeTheyHaveSaidAnything() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (EnvoyAdapter adapter = adapter()) {
            int most = EnvoyAdapter.mostConnections();
            while (adapter.refusedConnections() == 0) {
                silent.add(new Socket(InetAddress.getLoopbackAddress(), adapter.port()));
            }
            assertThat(silent).hasSizeGreaterThan(most);
            for (Socket socket : silent) {
                socket.close();
            }
            // Room for others again: the server greets.
            await().ignoreExceptionsInstanceOf(IOException.class).until(() -> isGreeted(adapter.port()));
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    private static boolean isGreeted(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.getInputStream().read() >= 0;
        }
    }
}
