package io.kipimo.envoy;

import io.kipimo.http.HostileClients;
import io.kipimo.http.PageServer;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnvoyPageTest {
    @Test
    void hostileClientsTakeNobodysTurn() throws Exception {
        // No Kafka is there; the page says so.
        KipimoConfig config =
                KipimoConfig.builder("shop", "envoy-1", KafkaSettings.of("127.0.0.1:1"))
                        .queryClass("low", ClassDefaults.ALL)
                        .build();
        try (Kipimo kipimo = Kipimo.connect(config);
                EnvoyAdapter adapter =
                        EnvoyAdapter.start(
                                EnvoySettings.of("127.0.0.1", 0, List.of(), List.of("web")),
                                c -> 1,
                                tier -> 1);
                PageServer page =
                        EnvoyPage.start("127.0.0.1", 0, adapter, kipimo.admission(), List.of())) {
            HostileClients.attack(page.port(), "/metrics");
        }
    }
}
