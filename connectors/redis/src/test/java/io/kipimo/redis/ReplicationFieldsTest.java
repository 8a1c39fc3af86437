package io.kipimo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.schemas.replication.ReplicationDecision;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicationFieldsTest {
    private static final ReplicationDecision DECISION = ReplicationDecisions.of(
            3, 4, ReplicationDecisions.tried("web, front", 2), ReplicationDecisions.tried("store", 3));

    @Test
    void writtenFieldsReadBack() {
        assertThat(ReplicationFields.read(ReplicationFields.of(DECISION))).isEqualTo(DECISION);
    }

    @Test
    void aPollerFindsEachTierByItsName() {
        assertThat(ReplicationFields.of(DECISION))
                .containsEntry("tiers", "web, front/store")
                .containsEntry("factor:store", "3")
                .containsEntry("fallback:store", "2")
                .containsEntry("measured_micros", "64000.5");
    }

    @Test
    void factorsThatNoArbiterMayApplyAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        ReplicationFields.of(ReplicationDecisions.of(1, 1, ReplicationDecisions.tried("web", 10_001))))
                .withMessageContaining("10001");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReplicationFields.of(
                        ReplicationDecisions.of(1L << 53, 1, ReplicationDecisions.tried("web", 2))));
    }

    @ParameterizedTest
    @CsvSource({
        "factor:store, 0",
        "factor:store, two",
        "epoch, 0x10",
        "mode, PERHAPS",
        "measured_micros, NaN",
        "tiers, web"
    })
    void foreignTextIsRefused(String field, String text) {
        Map<String, String> fields = new HashMap<>(ReplicationFields.of(DECISION));
        fields.put(field, text);
        assertThatIllegalArgumentException().isThrownBy(() -> ReplicationFields.read(fields));
    }
}
