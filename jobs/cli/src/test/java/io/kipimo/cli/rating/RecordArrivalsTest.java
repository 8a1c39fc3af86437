package io.kipimo.cli.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.kipimo.cli.CommandRun;
import io.kipimo.cli.terminal.ArrivalFile;
import io.kipimo.core.replication.RecordedArrivals;
import io.kipimo.core.replication.RecordedArrivals.RecordedArrival;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rate --record}, from records as {@code kipimo tail} prints them. */
class RecordArrivalsTest {
    private static final long START = 1_700_000_000_000L;
    private static final int QUERIES = 2_000;

    @TempDir
    Path directory;

    private final List<Answer> answers = new ArrayList<>();
    private final List<RecordedArrival> traffic = new ArrayList<>();

    /** Bursts of three classes. */
    private void bursts(String service) {
        SplittableRandom random = new SplittableRandom(3);
        long at = START;
        for (int i = 0; i < QUERIES; i++) {
            at += i % 20 == 0 ? random.nextInt(2_000) : random.nextInt(5);
            String queryClass = List.of("high", "low, cheap", "batch").get(random.nextInt(3));
            traffic.add(new RecordedArrival(at / 1e3, queryClass));
            answers.add(AnswerBuilder.builder()
                    .service(service)
                    .queryId(service + i)
                    .queryClass(queryClass)
                    .kind(AnswerKind.ONLINE)
                    .startedAtMillis(at)
                    // Answers leave in another order.
                    .answeredAtMillis(at + 1 + random.nextInt(300))
                    .deadlineMillis(30)
                    .invocations(List.of(new Invocation("index", Outcome.IN_TIME, 5_000)))
                    .items(Items.NONE)
                    .build());
        }
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    private <T> String write(String name, Codec<T> codec, List<T> records) throws IOException {
        List<String> lines = new ArrayList<>();
        for (T one : records) {
            lines.add(json(codec, one));
        }
        return Files.write(file(name), lines).toString();
    }

    private static <T> String json(Codec<T> codec, T value) throws InvalidProtocolBufferException {
        return JsonFormat.printer().omittingInsignificantWhitespace().print(codec.toMessage(value));
    }

    /** What front ends count each second, so many times. */
    private String observations(long times) throws IOException {
        List<Observation> seconds = new ArrayList<>();
        for (Answer answer : answers) {
            seconds.add(ObservationBuilder.builder()
                    .service(answer.service())
                    .tier("front")
                    .server("front-" + answer.queryId())
                    .queryClass(answer.queryClass())
                    .secondMillis(answer.startedAtMillis() / 1_000 * 1_000)
                    .offered(times + 2)
                    .rejected(2)
                    .answered(times)
                    .bill(MeasurementBill.NOTHING)
                    .admittedFraction(1)
                    .build());
        }
        return write("observations.jsonl", Codecs.OBSERVATION, seconds);
    }

    private CommandRun record(String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "rate",
                "--record",
                file("arrivals.csv").toString(),
                "--answers",
                write("answers.jsonl", Codecs.ANSWER, answers)));
        words.addAll(List.of(options));
        return CommandRun.of(words.toArray(String[]::new));
    }

    @Test
    void whatIsReplayedIsWhatArrived() throws Exception {
        bursts("shop");
        Collections.shuffle(answers, new Random(1));
        answers.addAll(answers.subList(0, 100));
        CommandRun run = record("--observations", observations(1), "--json");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("\"arrivals\" : " + QUERIES).contains("\"low, cheap\" : 0.3");
        RecordedArrivals replayed = ArrivalFile.read(file("arrivals.csv").toString());
        RecordedArrivals arrived = RecordedArrivals.of(traffic);
        assertThat(replayed.size()).isEqualTo(QUERIES);
        assertThat(replayed.perSecond()).isCloseTo(arrived.perSecond(), within(1e-9));
        RecordedArrivals.ArrivalReader expected = arrived.somewhere(5);
        RecordedArrivals.ArrivalReader got = replayed.somewhere(5);
        double[] both = new double[2];
        int[] mix = new int[2];
        for (int i = 0; i < QUERIES; i++) {
            both[0] += expected.gap();
            both[1] += got.gap();
            assertThat(both[1]).isCloseTo(both[0], within(1e-6));
            mix[0] += expected.text().length();
            mix[1] += got.text().length();
        }
        // Those of one millisecond have no order.
        assertThat(mix[1]).isEqualTo(mix[0]);
    }

    @Test
    void aSampleIsNotTheTraffic() throws Exception {
        bursts("shop");

        CommandRun sample = record("--observations", observations(5));
        assertThat(sample.exitCode()).isEqualTo(2);
        assertThat(sample.err()).contains("2,000 of the 10,000 queries").hasLineCount(1);
        assertThat(file("arrivals.csv")).doesNotExist();

        CommandRun unknown = record();
        assertThat(unknown.exitCode()).isZero();
        assertThat(unknown.err()).contains("nothing shows that all queries were sampled");
    }

    @Test
    void badInputIsOneLine() throws Exception {
        bursts("shop");
        assertThat(record("--target", "http://localhost:1").exitCode()).isEqualTo(2);
        assertThat(CommandRun.of("rate", "--record", "f").exitCode()).isEqualTo(2);
        bursts("other");
        assertThat(record().err()).contains("allowed: one of [other, shop]");
        assertThat(record("--service", "shop").exitCode()).isZero();
        assertThat(record("--service", "none"))
                .satisfies(run -> assertThat(run.exitCode()).isEqualTo(2))
                .satisfies(run -> assertThat(run.err()).contains("allowed: two different times"));
    }
}
