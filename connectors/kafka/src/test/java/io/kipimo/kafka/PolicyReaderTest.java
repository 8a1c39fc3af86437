package io.kipimo.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.policy.Policy;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class PolicyReaderTest {
    private static final RecordReader<Policy> READER = RecordReader.ofPolicies(policy -> policy);

    private static ConsumerRecord<byte[], byte[]> removal(String key) {
        byte[] bytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
        return new ConsumerRecord<>("policies", 0, 1, bytes, null);
    }

    @Test
    void aKeyWithoutAValueIsTheRemovalOfAPolicy() throws Exception {
        Policy read = READER.read(removal("shop"));
        assertThat(PolicyBook.isRemoval(read)).isTrue();
        assertThat(read.service()).isEqualTo("shop");
    }

    @Test
    void aKeyThatIsNoNameOfAServiceIsRefused() {
        assertThatThrownBy(() -> READER.read(removal("sh op\n"))).isInstanceOf(InvalidRecordException.class);
    }

    @Test
    void aPolicyCannotPassForARemoval() {
        byte[] bytes = Codecs.POLICY.encode(PolicyBook.removal("shop"));
        assertThatThrownBy(() -> READER.read(new ConsumerRecord<>("policies", 0, 1, new byte[] {'a'}, bytes)))
                .hasMessage("version is 9007199254740992; allowed: less");
    }
}
