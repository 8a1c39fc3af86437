package io.kipimo.schemas.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TopicTest {
    @ParameterizedTest
    @EnumSource(Topic.class)
    void holdsAMessageThatThereIsACodecFor(Topic topic) {
        assertThat(Codecs.named(topic.message()).name()).isEqualTo(topic.message());
    }

    @ParameterizedTest
    @EnumSource(Topic.class)
    void nameIsThatOfTheConstantAndOneThatABrokerTakes(Topic topic) {
        assertThat(topic.suffix())
                .isEqualTo(topic.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        assertThat(topic.name(Topic.DEFAULT_PREFIX)).matches("kipimo\\.[a-z][a-z-]*[a-z]");
    }

    @ParameterizedTest
    @EnumSource(Topic.class)
    void isDescribedAndKeyed(Topic topic) {
        assertThat(topic.key()).isNotBlank();
        assertThat(topic.holds()).isNotBlank();
        assertThat(topic.partitions()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(Topic.class)
    void compactedTopicsKeepForEverAndOthersSayHowLong(Topic topic) {
        if (topic.cleanup() == Topic.Cleanup.COMPACT) {
            assertThat(topic.retentionDays()).isZero();
        } else {
            assertThat(topic.retentionDays()).isPositive();
        }
    }

    /**
     * Commands need an order across keys, which several partitions would lose. Records of cached keys are independent
     * of each other.
     */
    @ParameterizedTest
    @EnumSource(Topic.class)
    void compactedTopicsHaveOnePartitionUnlessTheirKeysAreApart(Topic topic) {
        if (topic.cleanup() == Topic.Cleanup.COMPACT && topic != Topic.SUBSCRIPTIONS && topic != Topic.TTLS) {
            assertThat(topic.partitions()).isEqualTo(1);
        }
    }

    @Test
    void everyMessageIsInSomeTopic() {
        assertThat(Arrays.stream(Topic.values()).map(Topic::message))
                .containsAll(Codecs.all().stream().map(Codec::name).toList());
    }
}
