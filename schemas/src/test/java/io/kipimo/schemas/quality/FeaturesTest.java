package io.kipimo.schemas.quality;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.wire.AnswerProto;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FeaturesTest {
    @Test
    void textsAreHashedByFnv1a() {
        assertThat(Features.ofTexts(List.of("", "a", "foobar")))
                .isEqualTo(Features.of(0xcbf29ce484222325L, 0xaf63dc4c8601ec8cL, 0x85944171f73967e8L));
    }

    @Test
    void tenThousandHashesAreCutTo64AndCounted() {
        long[] many = new long[10_000];
        Arrays.setAll(many, i -> i);

        Features features = Features.of(many);

        assertThat(features.hashes()).isEqualTo(Arrays.copyOf(many, 64));
        assertThat(features.cut()).isEqualTo(9_936);
        assertThat(Features.of().cut()).isZero();
    }

    @Test
    void aReaderCutsWhatAnEmitterDidNot() throws InvalidRecordException, InvalidProtocolBufferException {
        Answer answer = AnswerBuilder.builder()
                .service("s")
                .queryId("q")
                .queryClass("c")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(1)
                .answeredAtMillis(1)
                .items(Items.NONE)
                .features(Features.of(1, -1))
                .build();
        byte[] bytes = Codecs.ANSWER.encode(answer);
        assertThat(Codecs.ANSWER.decode(bytes).features()).isEqualTo(Features.of(1, -1));
        assertThat(new EventScanner().answer(bytes, 0, 0).answerFields().features())
                .isEqualTo(Features.of(1, -1));

        AnswerProto.Builder many = AnswerProto.parseFrom(bytes).toBuilder();
        for (int i = 0; i < 10_000; i++) {
            many.addFeatures(i);
        }
        Answer read = Codecs.ANSWER.decode(many.build().toByteArray());
        assertThat(read.features().size()).isEqualTo(64);
        assertThat(read.features().cut()).isEqualTo(9_938);
        assertThat(new EventScanner()
                        .answer(many.build().toByteArray(), 0, 0)
                        .answerFields()
                        .features())
                .isEqualTo(read.features());
    }
}
