package io.kipimo.embedded.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Exit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EmbeddedKafkaFaultTest {
    private final List<String> faults = new ArrayList<>();

    @BeforeAll
    static void load() throws ClassNotFoundException {
        var unused = Class.forName(EmbeddedKafka.class.getName());
    }

    @AfterEach
    void forget() {
        EmbeddedKafka.onFatal(fault -> {});
    }

    @Test
    void aBrokerThatCannotGoOnTellsItAndDoesNotEndTheJvm() {
        EmbeddedKafka.onFatal(faults::add);

        assertThatThrownBy(() -> Exit.halt(1, "all log dirs have failed")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Exit.exit(1)).isInstanceOf(IllegalStateException.class);
        assertThat(faults).containsExactly("all log dirs have failed", "status 1");
    }
}
