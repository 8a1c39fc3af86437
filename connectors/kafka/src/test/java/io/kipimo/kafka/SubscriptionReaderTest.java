package io.kipimo.kafka;

import static io.kipimo.kafka.Entries.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.operators.invalidation.InvalidationFormats;
import io.kipimo.operators.invalidation.SubscriptionChange;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.SubscriptionBuilder;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.types.Either;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class SubscriptionReaderTest {
    private static final String SCOPE = "shop/things//q";
    private static final SubscriptionChange REFUSED =
            new SubscriptionChange(SCOPE, Optional.empty(), OptionalLong.of(NOW));

    private static byte[] subscription(String filter, long registeredMillis) {
        return Codecs.SUBSCRIPTION.encode(SubscriptionBuilder.builder()
                .service("shop")
                .table("things")
                .key("/q")
                .filter(filter)
                .sort("")
                .representation(ResultRepresentation.ANY)
                .evaluatedMillis(NOW)
                .registeredMillis(registeredMillis)
                .build());
    }

    private static List<Either<DeadLetter, SubscriptionChange>> read(String key, byte[] value) {
        ValidatingDeserializationSchema<SubscriptionChange> inspection = new ValidatingDeserializationSchema<>(
                new SubscriptionReader(),
                change -> NOW,
                Duration.ofSeconds(60),
                false,
                () -> NOW,
                InvalidationFormats.SUBSCRIPTION.typeInfo());
        List<Either<DeadLetter, SubscriptionChange>> found = new ArrayList<>();
        inspection.deserialize(
                new ConsumerRecord<>(
                        "kipimo.subscriptions",
                        0,
                        1,
                        NOW,
                        TimestampType.CREATE_TIME,
                        0,
                        0,
                        key == null ? null : key.getBytes(StandardCharsets.UTF_8),
                        value,
                        new RecordHeaders(),
                        Optional.empty()),
                new ListCollector<>(found));
        return found;
    }

    @Test
    void aQueryIsRegisteredAndEnded() {
        assertThat(read(SCOPE, subscription("{}", NOW)))
                .singleElement()
                .satisfies(one -> assertThat(one.right().terms()).isPresent());
        assertThat(read(SCOPE, null)).containsExactly(Either.Right(SubscriptionChange.ended(SCOPE)));
    }

    @Test
    void aRefusedFilterBecomesADeadLetterAndARefusal() {
        List<Either<DeadLetter, SubscriptionChange>> found =
                read(SCOPE, subscription("{\"a\": {\"$regex\": \"(a)\\\\1\"}}", NOW));
        assertThat(found).hasSize(2);
        assertThat(found.get(0).left().reason()).isEqualTo(RejectionReason.IMPOSSIBLE_TEXT);
        assertThat(found.get(0).left().detail()).contains("$regex at 'a': /(a)\\1/", "refers to a group", "allowed: ");
        assertThat(found.get(1).right()).isEqualTo(REFUSED);
    }

    @Test
    void anInvalidSubscriptionIsNeverWatched() {
        assertThat(read(SCOPE, subscription("x".repeat(70_000), NOW))).last().isEqualTo(Either.Right(REFUSED));
        assertThat(read(SCOPE, new byte[] {1, 2, 3})).last().isEqualTo(Either.Right(REFUSED));
        assertThat(read("nobody's", new byte[] {1, 2, 3})).hasSize(1);
        assertThat(read(null, new byte[] {1, 2, 3})).hasSize(1);
    }
}
