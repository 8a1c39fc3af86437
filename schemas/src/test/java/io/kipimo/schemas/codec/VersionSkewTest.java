package io.kipimo.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.wire.AnswerProto;
import io.kipimo.schemas.wire.PolicyProto;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Readers and writers of different versions at the same time, as during an upgrade. {@link GoldenFilesTest} covers
 * records of older versions.
 */
class VersionSkewTest {
    static Stream<Codec<?>> codecs() {
        return Codecs.all().stream();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void whatANewerVersionAddsIsPassedOver(Codec<?> codec) throws Exception {
        assertPassedOver(codec);
    }

    private static <T> void assertPassedOver(Codec<T> codec) throws Exception {
        for (T record : SampleRecords.of(codec)) {
            Message known = codec.toMessage(record);
            byte[] newer = NewerVersion.of(known).toByteArray();
            assertThat(newer).hasSizeGreaterThan(known.getSerializedSize());

            T read = codec.decode(newer);
            assertThat(read).usingRecursiveComparison().isEqualTo(record);
            assertThat(codec.encode(read)).isEqualTo(codec.encode(record));
        }
    }

    /**
     * A constant that a reader does not know must not be taken for one that it knows: an older version that took
     * NOT_ASKED for IN_TIME would call a trimmed answer complete.
     */
    @Test
    void anOutcomeOfANewerVersionIsRefused() {
        AnswerProto answer = (AnswerProto)
                Codecs.ANSWER.toMessage(SampleRecords.of(Codecs.ANSWER).get(0));
        int unknown = Outcome.values().length + 1;
        byte[] newer = answer.toBuilder()
                .setInvocations(0, answer.getInvocations(0).toBuilder().setOutcomeValue(unknown))
                .build()
                .toByteArray();

        String problem = "invocations.outcome is constant " + unknown;
        assertThatThrownBy(() -> Codecs.ANSWER.decode(newer)).hasMessageContaining(problem);
        assertThatThrownBy(() -> new EventScanner().answer(newer, 0, 0))
                .isInstanceOf(InvalidRecordException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void anOlderWritersAnswerAskedEveryComponent() throws Exception {
        AnswerProto answer = (AnswerProto)
                Codecs.ANSWER.toMessage(SampleRecords.of(Codecs.ANSWER).get(0));

        Answer read = Codecs.ANSWER.decode(answer.toByteArray());

        assertThat(read.isTrimmed()).isFalse();
        assertThat(read.notAskedLoss()).isEmpty();
        assertThat(read.explored()).isFalse();
    }

    @Test
    void anAnswerThatAskedNoComponentIsNotMeasurable() {
        Answer none = AnswerBuilder.builder(SampleRecords.of(Codecs.ANSWER).get(1))
                .invocations(List.of(new Invocation("a", Outcome.NOT_ASKED, 0)))
                .build();

        assertThat(none.whyUnmeasurable()).contains(Unmeasurable.NO_COMPONENTS);
        assertThat(none.isTrimmed()).isTrue();
        assertThat(none.isDegraded()).isFalse();
    }

    /** In an emergency, a person may use any version of the tool. */
    @Test
    void aPersonsChangeByAnOlderVersionKeepsWhatANewerOneSet() throws Exception {
        Message known = Codecs.POLICY.toMessage(SampleRecords.of(Codecs.POLICY).get(0));
        byte[] newer = NewerVersion.of(known).toByteArray();

        byte[] changed = PolicyRevision.changed(
                newer, Codecs.POLICY.decode(newer).withVersion(9).withKillSwitch(true));

        PolicyProto expected = PolicyProto.parseFrom(newer).toBuilder()
                .setVersion(9)
                .setKillSwitch(true)
                .build();
        assertThat(PolicyProto.parseFrom(changed)).isEqualTo(expected);
        assertThat(news(expected.getClasses(0))).isNotEqualTo(UnknownFieldSet.getDefaultInstance());
        assertThat(news(expected.getReplication().getTiers(0))).isNotEqualTo(UnknownFieldSet.getDefaultInstance());
    }

    @Test
    void whatANewerVersionSaidOfAClassStaysWithItsName() throws Exception {
        PolicyProto two = (PolicyProto) NewerVersion.of(
                Codecs.POLICY.toMessage(SampleRecords.of(Codecs.POLICY).get(0)));
        String kept = two.getClasses(1).getName();
        PolicyProto without = two.toBuilder().removeClasses(0).build();

        PolicyProto changed = PolicyProto.parseFrom(
                PolicyRevision.changed(two.toByteArray(), Codecs.POLICY.decode(without.toByteArray())));

        assertThat(changed.getClassesList()).extracting(c -> c.getName()).isEqualTo(List.of(kept));
        assertThat(news(changed.getClasses(0))).isEqualTo(news(two.getClasses(1)));
    }

    private static UnknownFieldSet news(Message message) {
        return message.getUnknownFields();
    }
}
