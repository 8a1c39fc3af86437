package io.kipimo.cli.advice;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Score;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Recorded queries of a service of two components, of which {@code fast} takes 5 ms and {@code slow} 20 ms or, for one
 * query in four, 45 ms, with a deadline of 30 ms. Each gives half of the answer. So quality is 0 below 5 ms, 0.5 below
 * 20 ms, 0.875 below 45 ms and then 1. Of each four measurements two, the late one included, are of variant
 * {@code canary}, the others of {@code stable}.
 */
public final class RecordedService {
    public static final long START = 1_700_000_000_000L;
    private static final int DEADLINE_MILLIS = 30;

    public final Path answers;
    public final Path partials;
    public final Path observations;
    public final Path measurements;

    /** @param queries a multiple of four */
    public RecordedService(Path directory, int queries) throws IOException {
        List<Answer> answered = new ArrayList<>();
        List<PartialResult> results = new ArrayList<>();
        List<Measurement> measured = new ArrayList<>();
        for (int i = 0; i < queries; i++) {
            String id = "q" + i;
            long start = START + i * 100L;
            boolean late = i % 4 == 3;
            answered.add(answer(id, start, late));
            results.add(partial(id, "fast", Phase.ONLINE, start, 5, 1));
            results.add(partial(id, "slow", late ? Phase.MATURE : Phase.ONLINE, start, late ? 45 : 20, 3));
            measured.add(measurement(id, start, late, i % 4 < 2 ? "stable" : "canary"));
        }
        observations = write(directory.resolve("observations.jsonl"), Codecs.OBSERVATION, observations(queries));
        answers = write(directory.resolve("answers.jsonl"), Codecs.ANSWER, answered);
        partials = write(directory.resolve("partials.jsonl"), Codecs.PARTIAL_RESULT, results);
        measurements = write(directory.resolve("measurements.jsonl"), Codecs.MEASUREMENT, measured);
    }

    /** Ten queries a second; of each twenty, five are without {@code slow}. */
    private static List<Observation> observations(int queries) {
        List<Observation> seconds = new ArrayList<>();
        for (int i = 0; i < queries / 10; i++) {
            seconds.add(ObservationBuilder.builder()
                    .service("shop")
                    .tier("front")
                    .server("front-0")
                    .queryClass("high")
                    .secondMillis(START + i * 1_000L)
                    .offered(10)
                    .answered(10)
                    .timedOut(2 + i % 2)
                    .bill(MeasurementBill.NOTHING)
                    .admittedFraction(1)
                    .build());
        }
        return seconds;
    }

    private static Answer answer(String id, long start, boolean late) {
        return AnswerBuilder.builder()
                .service("shop")
                .queryId(id)
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(start)
                .answeredAtMillis(start + (late ? DEADLINE_MILLIS : 20))
                .deadlineMillis(DEADLINE_MILLIS)
                .topK(4)
                .invocations(List.of(
                        new Invocation("fast", Outcome.IN_TIME, 5_000),
                        new Invocation("slow", late ? Outcome.TIMED_OUT : Outcome.IN_TIME, late ? 30_000 : 20_000)))
                .items(Items.NONE)
                .features(Features.of(7))
                .build();
    }

    private static PartialResult partial(
            String id, String component, Phase phase, long start, int latencyMillis, long item) {
        return PartialResultBuilder.builder()
                .service("shop")
                .queryId(id)
                .component(component)
                .server("")
                .phase(phase)
                .completedAtMillis(start + latencyMillis)
                .latencyMicros(latencyMillis * 1_000L)
                .items(Items.ofNumbers(new long[] {item, item + 1}, new float[] {2, 1}))
                .build();
    }

    private static Measurement measurement(String id, long start, boolean late, String variant) {
        double quality = late ? 0.5 : 1;
        return Measurement.builder()
                .service("shop")
                .queryId(id)
                .queryClass("high")
                .startedAtMillis(start)
                .measuredAtMillis(start + 50)
                .completeness(Completeness.COMPLETE)
                .degraded(late)
                .topK(4)
                .scores(List.of(new Score("tpr@4", quality, quality)))
                .components(List.of(
                        new ComponentShare("fast", Outcome.IN_TIME, 5_000, false, 0, 0.5),
                        new ComponentShare(
                                "slow", late ? Outcome.TIMED_OUT : Outcome.IN_TIME, 30_000, false, 1 - quality, 0.5)))
                .variant(variant)
                .build();
    }

    public static <T> Path write(Path file, Codec<T> codec, List<T> records) throws IOException {
        List<String> lines = new ArrayList<>();
        for (T record : records) {
            lines.add(json(codec, record));
        }
        return Files.write(file, lines);
    }

    private static <T> String json(Codec<T> codec, T record) throws InvalidProtocolBufferException {
        return JsonFormat.printer()
                .alwaysPrintFieldsWithNoPresence()
                .omittingInsignificantWhitespace()
                .print(codec.toMessage(record));
    }
}
