package io.kipimo.cli.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Score;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedFileTest {
    private static final Answer ANSWER = AnswerBuilder.builder()
            .service("shop")
            .queryId("q\"1\u00e9")
            .queryClass("high")
            .kind(AnswerKind.ONLINE)
            .startedAtMillis(1_700_000_000_000L)
            .answeredAtMillis(1_700_000_000_030L)
            .deadlineMillis(30)
            .invocations(List.of(
                    new Invocation("a", Outcome.IN_TIME, 5_000), new Invocation("b", Outcome.TIMED_OUT, 30_000)))
            .items(Items.NONE)
            .build();
    private static final Measurement MEASUREMENT = Measurement.builder()
            .service("shop")
            .queryId("q1")
            .queryClass("high")
            .startedAtMillis(1_700_000_000_000L)
            .measuredAtMillis(1_700_000_000_090L)
            .completeness(Completeness.EXPIRED)
            .degraded(true)
            .topK(20)
            .scores(List.of(new Score("tpr@20", 0.1 + 0.2, 1 / 1.5)))
            .components(List.of(new ComponentShare("b", Outcome.TIMED_OUT, 30_000, true, -1e-17, 0)))
            .truncated(true)
            .build();

    @TempDir
    private Path directory;

    private static PartialResult partial(Items items) {
        return PartialResultBuilder.builder()
                .service("shop")
                .queryId("q1")
                .component("a")
                .server("")
                .phase(Phase.MATURE)
                .completedAtMillis(1_700_000_000_030L)
                .latencyMicros(1)
                .items(items)
                .truncated(true)
                .build();
    }

    @SafeVarargs
    private <T> String tail(Codec<T> codec, T... records) throws IOException {
        JsonLines lines = new JsonLines(codec, Map.of());
        List<String> printed = new ArrayList<>();
        for (T record : records) {
            printed.add(lines.of(entry(codec.encode(record))).orElseThrow());
        }
        printed.add(lines.of(entry(null)).orElseThrow());
        printed.add(lines.of(entry(new byte[] {(byte) 0xff})).orElseThrow());
        return write(String.join("\n", printed) + "\n\n");
    }

    private static ConsumerRecord<byte[], byte[]> entry(byte[] value) {
        return new ConsumerRecord<>("kipimo.any", 3, 42, new byte[] {'"', 'k'}, value);
    }

    private String write(String text) throws IOException {
        return Files.writeString(directory.resolve("recorded.jsonl"), text).toString();
    }

    private static <T> List<T> read(String file, Codec<T> codec) {
        List<T> records = new ArrayList<>();
        assertThat(RecordedFile.read(file, codec, records::add)).isEqualTo(records.size());
        return records;
    }

    @Test
    void theOutputOfTailIsReadBackExactly() throws IOException {
        assertThat(read(tail(Codecs.ANSWER, ANSWER, ANSWER), Codecs.ANSWER))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(ANSWER, ANSWER);
        assertThat(read(tail(Codecs.MEASUREMENT, MEASUREMENT), Codecs.MEASUREMENT))
                .containsExactly(MEASUREMENT);
    }

    @Test
    void identifiersAndScoresKeepTheirBits() throws IOException {
        Items numbers = Items.ofNumbers(
                new long[] {-1, 0, Long.MAX_VALUE}, new float[] {0.1f, Float.MIN_VALUE, Float.MAX_VALUE});
        Items texts = Items.ofTexts(new String[] {"\u4e2d", "b"}, new float[] {-0.5f, 3});
        List<PartialResult> back =
                read(tail(Codecs.PARTIAL_RESULT, partial(numbers), partial(texts)), Codecs.PARTIAL_RESULT);
        assertThat(back).hasSize(2);
        assertThat(Arrays.asList(back.get(0).items(), back.get(1).items()))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(numbers, texts);
    }

    @Test
    void anotherTopicsFileIsRefusedWithItsLine() throws IOException {
        String file = tail(Codecs.MEASUREMENT, MEASUREMENT);
        assertThatThrownBy(() -> read(file, Codecs.ANSWER))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(file + ":1: ")
                .hasMessageContaining("allowed: a AnswerProto as JSON");
    }

    @Test
    void impossibleRecordsAreRefusedWithWhatIsAllowed() throws IOException {
        String file = tail(Codecs.ANSWER, ANSWER);
        write(Files.readString(Path.of(file)).replace("\"shop\"", "\"sh/op\""));
        assertThatThrownBy(() -> read(file, Codecs.ANSWER))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(":1: ")
                .hasMessageContaining("no '/'");
    }
}
