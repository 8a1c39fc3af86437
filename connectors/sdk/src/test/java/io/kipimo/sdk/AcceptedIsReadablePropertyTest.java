package io.kipimo.sdk;

import static io.kipimo.sdk.SampleService.LOW;
import static io.kipimo.sdk.SampleService.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Whatever the SDK accepts, readers accept; no call makes a later record unreadable. */
class AcceptedIsReadablePropertyTest {
    private static final String EMOJI = "\ud83d\ude00";
    private static final List<String> TEXTS = Arrays.asList(
            "titles",
            "titles\u009b",
            "shard/3",
            "x".repeat(255) + EMOJI,
            "x".repeat(10_000),
            EMOJI.repeat(200),
            "",
            null,
            "a\0b",
            "a\u202eb",
            "a\ud83d",
            "\ude00",
            " ");
    private static final long[] NUMBERS = {
        0, 1, -1, 10_000, NOW, -NOW, NOW * 10, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 53
    };
    private static final double[] FRACTIONS = {
        0, 0.5, 1, -0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY, -1e300, Double.MIN_VALUE
    };

    private final Random random = new Random(1);
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final List<Observation> observations = new ArrayList<>();
    private final ServiceMeter meter = new ServiceMeter(
            SampleService.config(), queryClass -> 1, () -> new EmitterStats(0, 0, 0, 0, 0), observations::add, NOW);

    /** Every try starts afresh. */
    private static AcceptedIsReadablePropertyTest with(long seed) {
        AcceptedIsReadablePropertyTest fresh = new AcceptedIsReadablePropertyTest();
        fresh.random.setSeed(seed);
        return fresh;
    }

    @Property(tries = 60, seed = "20261126")
    void anyCallsOfTheEmitter(@ForAll long seed) throws Exception {
        with(seed).callTheEmitter();
    }

    @Property(tries = 500, seed = "20261126")
    void anyCallsOfTheMeter(@ForAll long seed) throws Exception {
        with(seed).callTheMeter();
    }

    @Property(tries = 300, seed = "20261126")
    void anyCallsOfAServersReporter(@ForAll long seed) throws Exception {
        with(seed).callTheReporter();
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    private long number() {
        return random.nextBoolean() ? 1 : NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private double fraction() {
        return FRACTIONS[random.nextInt(FRACTIONS.length)];
    }

    private long time() {
        return random.nextInt(4) > 0 ? NOW : number();
    }

    /** Right most of the time, so that the odd values are met one by one, too. */
    private <T> T mostly(T right, T odd) {
        return random.nextInt(8) > 0 ? right : odd;
    }

    private List<Invocation> invocations() {
        return IntStream.range(0, random.nextInt(4))
                .mapToObj(i -> new Invocation(
                        mostly("c" + i, text()), Outcome.values()[random.nextInt(4)], mostly(1_000L, number())))
                .toList();
    }

    private Items items() {
        return switch (random.nextInt(4)) {
            case 0 -> mostly(Items.NONE, null);
            case 1 -> Items.ofNumbers(new long[] {number()}, new float[] {(float) fraction()});
            default -> Items.ofTexts(new String[] {"a", mostly("b", text())}, new float[] {2, 1});
        };
    }

    private Answer answer() {
        return AnswerBuilder.builder(SampleService.answer("q"))
                .service(mostly("search", text()))
                .queryId(mostly("q", text()))
                .queryClass(mostly(LOW, text()))
                .startedAtMillis(time())
                .answeredAtMillis(time())
                .deadlineMillis((int) (long) mostly(100L, number()))
                .topK((int) (long) mostly(10L, number()))
                .invocations(mostly(invocations(), null))
                .items(items())
                .notAskedLoss(mostly(Optional.empty(), Optional.of(fraction())))
                .variant(mostly("", text()))
                .build();
    }

    private PartialResult partial() {
        return PartialResultBuilder.builder()
                .service(mostly("search", text()))
                .queryId(mostly("q", text()))
                .component(mostly("titles", text()))
                .server(mostly("s1", text()))
                .phase(mostly(Phase.ONLINE, null))
                .completedAtMillis(time())
                .latencyMicros(mostly(1_000L, number()))
                .items(items())
                .startedAtMillis(time())
                .build();
    }

    private void callTheEmitter() throws Exception {
        Outbox outbox = new Outbox(1_000, () -> producer, Duration.ofSeconds(5));
        Emitter emitter = new Emitter(
                outbox,
                new SamplingRates(1),
                now -> 0,
                1,
                KafkaSettings.of("unused:9092"),
                "",
                () -> Instant.ofEpochMilli(NOW));
        for (int i = 0; i < 100; i++) {
            emitter.emit(mostly(answer(), null));
            emitter.emit(mostly(partial(), null));
        }
        emitter.emit(SampleService.answer("last"));
        outbox.close();
        List<ProducerRecord<byte[], byte[]>> sent = producer.history();
        for (ProducerRecord<byte[], byte[]> one : sent) {
            String queryId = one.topic().equals("kipimo.answers")
                    ? Codecs.ANSWER.decode(one.value()).queryId()
                    : Codecs.PARTIAL_RESULT.decode(one.value()).queryId();
            assertThat(new String(one.key(), StandardCharsets.UTF_8)).isEqualTo(queryId);
        }
        EmitterStats stats = emitter.stats();
        assertThat(stats.accepted()).isEqualTo(201);
        assertThat(stats.delivered()).isEqualTo(sent.size()).isGreaterThan(50);
        assertThat(stats.undelivered()).isEqualTo(201 - sent.size());
        assertThat(Codecs.ANSWER.decode(sent.get(sent.size() - 1).value()).queryId())
                .isEqualTo("last");
    }

    private void callTheMeter() throws Exception {
        for (int second = 1; second < 4; second++) {
            for (int i = 0; i < 10; i++) {
                ServiceMeter one = random.nextInt(3) > 0 ? meter : variant();
                one.offered(LOW, fraction());
                one.offered(LOW, (double) number());
                one.answered(LOW, invocations(), Optional.empty(), (double) number(), Optional.of(fraction()));
                one.lateResult(LOW, number());
            }
            meter.publishClosedSeconds(NOW + second * 1000L);
        }
        for (Observation one : observations) {
            assertReadable(Codecs.OBSERVATION, one);
        }
    }

    private ServiceMeter variant() {
        String name = text();
        try {
            return meter.ofVariant(name);
        } catch (IllegalArgumentException e) {
            assertThat(name == null || !Names.isName(name)).isTrue();
            return meter;
        }
    }

    private void callTheReporter() throws Exception {
        List<ServerObservation> published = new ArrayList<>();
        long[] nanos = {random.nextLong()};
        ServerReporter reporter = new ServerReporter(
                ServerIdentity.server("search", "index", "a", "a1", 4), () -> nanos[0] += 1_000, published::add, NOW);
        for (int second = 1; second < 70; second++) {
            nanos[0] += 900_000_000L;
            for (int i = 0; i < 3; i++) {
                long arrival = mostly(reporter.arrived(), random.nextLong());
                switch (random.nextInt(4)) {
                    case 0 -> reporter.failed(arrival);
                    case 1 -> reporter.timedOut(arrival);
                    case 2 -> reporter.tokenReturned(number());
                    default -> reporter.completed(arrival);
                }
            }
            reporter.publishClosedSecond(NOW + second * 1000L);
        }
        assertThat(published).hasSizeGreaterThan(60);
        for (ServerObservation one : published) {
            assertReadable(Codecs.SERVER_OBSERVATION, one);
        }
    }

    private static <T> void assertReadable(Codec<T> codec, T sent) throws Exception {
        codec.decode(codec.encode(sent));
    }

    /** Kafka refuses records of more than 1 MiB: all seconds, since the names are kept. */
    @Test
    void manyLongNamesFitIntoOneRecord() throws Exception {
        for (int i = 0; i < 12_000; i++) {
            String name = "検索".repeat(100) + i;
            meter.answered(
                    LOW,
                    List.of(
                            new Invocation(i + name, Outcome.TIMED_OUT, 1),
                            new Invocation("a" + i + name, Outcome.NOT_ASKED, 0)));
        }
        meter.publishClosedSeconds(NOW + 1_000);
        for (Observation one : observations) {
            assertThat(Codecs.OBSERVATION.encode(one)).hasSizeLessThan(1_000_000);
            assertReadable(Codecs.OBSERVATION, one);
        }
        assertThat(observations.get(1).answered()).isEqualTo(12_000);
    }

    @Test
    void manyNamesAreBounded() throws Exception {
        for (int i = 0; i < 12_000; i++) {
            meter.answered(LOW, List.of(new Invocation("c" + i, Outcome.TIMED_OUT, 1)));
        }
        meter.publishClosedSeconds(NOW + 1_000);
        assertThat(observations.get(1).components()).hasSize(10_000);
        assertReadable(Codecs.OBSERVATION, observations.get(1));
    }

    @Test
    void aNameIsCountedAsReadersSpellIt() {
        meter.answered(
                LOW,
                List.of(
                        new Invocation("shard/3", Outcome.IN_TIME, 1),
                        new Invocation("a\u009b", Outcome.TIMED_OUT, Long.MAX_VALUE),
                        new Invocation("", Outcome.IN_TIME, 1)));
        meter.answered(LOW, List.of(new Invocation("shard/3", Outcome.IN_TIME, -1)));
        meter.publishClosedSeconds(NOW + 1_000);
        assertThat(observations.get(1).components())
                .containsExactly(new ComponentCount("a_", 1, 1), new ComponentCount("shard_3", 2, 0));
        assertThat(observations.get(1).bill().answerWorkMicros()).isEqualTo(864_000_000_002L);
    }
}
