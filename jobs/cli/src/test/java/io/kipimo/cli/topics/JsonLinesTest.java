package io.kipimo.cli.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.EpochClaim;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class JsonLinesTest {
    private static final byte[] KEY = "key".getBytes(StandardCharsets.UTF_8);
    private static final byte[] CLAIM = Codecs.EPOCH_CLAIM.encode(new EpochClaim("admission", "job/0", 1000));

    @Test
    void aRecordIsOneLineOfProtobufJson() {
        assertThat(new JsonLines(Codecs.EPOCH_CLAIM, Map.of()).of(entry(CLAIM)))
                .contains("{\"controller\":\"admission\",\"claimant\":\"job/0\"," + "\"claimedAtMillis\":\"1000\"}");
    }

    @Test
    void unusableRecordsAreShownWithTheirPosition() {
        JsonLines lines = new JsonLines(Codecs.EPOCH_CLAIM, Map.of());
        assertThat(lines.of(entry(new byte[0])))
                .contains("{\"error\":\"the record is empty\",\"partition\":3,\"offset\":42}");
        assertThat(lines.of(entry(null))).contains("{\"deleted\":\"key\",\"partition\":3,\"offset\":42}");
    }

    @Test
    void filtersKeepWhatHasTheirValuesInEitherSpelling() {
        assertThat(filtered("controller", "admission")).isTrue();
        assertThat(filtered("controller", "sampling")).isFalse();
        assertThat(filtered("claimedAtMillis", "1000")).isTrue();
        assertThat(filtered("claimed_at_millis", "1001")).isFalse();
    }

    private static boolean filtered(String field, String value) {
        return new JsonLines(Codecs.EPOCH_CLAIM, Map.of(field, value))
                .of(entry(CLAIM))
                .isPresent();
    }

    @Test
    void filtersReachFieldsWithinFields() {
        byte[] event = Codecs.QUERY_EVENT.encode(QueryEvent.of(PartialResultBuilder.builder()
                .service("search")
                .queryId("q1")
                .component("shard-3")
                .server("")
                .phase(Phase.MATURE)
                .completedAtMillis(1000)
                .latencyMicros(10)
                .items(Items.NONE)
                .build()));
        assertThat(new JsonLines(Codecs.QUERY_EVENT, Map.of("partial.component", "shard-3")).of(entry(event)))
                .isPresent();
        assertThat(new JsonLines(Codecs.QUERY_EVENT, Map.of("answer.service", "search")).of(entry(event)))
                .isEmpty();
    }

    @Test
    void aFilterOnAFieldThatIsNotThereIsRefusedWithTheFieldsThatAre() {
        assertThatThrownBy(() -> new JsonLines(Codecs.EPOCH_CLAIM, Map.of("owner", "x")))
                .isInstanceOf(InputException.class)
                .hasMessage("--filter names field 'owner'; allowed: controller, claimant, claimedAtMillis");
    }

    private static ConsumerRecord<byte[], byte[]> entry(byte[] value) {
        return new ConsumerRecord<>("kipimo.epochs", 3, 42, KEY, value);
    }
}
