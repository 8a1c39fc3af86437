package io.kipimo.sdk;

import static io.kipimo.sdk.SampleService.NOW;
import static io.kipimo.sdk.SampleService.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.core.sampling.Exploration;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Variants;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class EmitterTest {
    private final SamplingRates rates = new SamplingRates(0.1);
    private double exploration;
    private final MockProducer<byte[], byte[]> producer = mock();

    private static MockProducer<byte[], byte[]> mock() {
        return new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private Emitter emitter(Outbox outbox) {
        return emitter(outbox, Variants.NONE);
    }

    private Emitter emitter(Outbox outbox, String variant) {
        return new Emitter(
                outbox,
                rates,
                now -> exploration,
                0.25,
                KafkaSettings.of("unused:9092"),
                variant,
                () -> Instant.ofEpochMilli(NOW));
    }

    @Test
    void queriesThatAreAskedInFullAreAlwaysSampled() {
        Outbox outbox = outbox(10, () -> producer);
        Emitter emitter = emitter(outbox);
        exploration = 0.2;
        int sampled = 0;
        for (int i = 0; i < 1_000; i++) {
            String id = "query-" + i;
            boolean isExplored = Exploration.isExplored(id, 0.2);
            assertThat(emitter.isSampled(id)).isEqualTo(isExplored || ConsistentSampling.isSampled(id, 0.1));
            assertThat(emitter.wantsPartials(answer(id)) || !isExplored).isTrue();
            sampled += emitter.isSampled(id) ? 1 : 0;
        }
        // The two hashes are independent: 1 - 0.9 * 0.8.
        assertThat(sampled).isBetween(230, 330);
        outbox.close();
    }

    private static Outbox outbox(int capacity, Supplier<Producer<byte[], byte[]>> producers) {
        return new Outbox(capacity, producers, Duration.ofSeconds(5));
    }

    @Test
    void anAnswerIsKeyedByItsQueryAndStampedWithItsTime() throws Exception {
        Outbox outbox = outbox(10, () -> producer);
        Emitter emitter = emitter(outbox);
        emitter.emit(answer("q1"));
        outbox.close();
        ProducerRecord<byte[], byte[]> sent = producer.history().get(0);
        assertThat(sent.topic()).isEqualTo("kipimo.answers");
        assertThat(new String(sent.key(), StandardCharsets.UTF_8)).isEqualTo("q1");
        assertThat(sent.timestamp()).isEqualTo(NOW);
        assertThat(Codecs.ANSWER.decode(sent.value()).queryId()).isEqualTo("q1");
        assertThat(emitter.stats().delivered()).isEqualTo(1);
    }

    @Test
    void aPartialResultGoesToItsTopic() throws Exception {
        Outbox outbox = outbox(10, () -> producer);
        emitter(outbox)
                .emit(PartialResultBuilder.builder()
                        .service("search")
                        .queryId("q1")
                        .component("a")
                        .server("s1")
                        .phase(Phase.MATURE)
                        .completedAtMillis(NOW + 5)
                        .latencyMicros(7_000)
                        .items(Items.ofNumbers(new long[] {1}, new float[] {2}))
                        .build());
        outbox.close();
        ProducerRecord<byte[], byte[]> sent = producer.history().get(0);
        assertThat(sent.topic()).isEqualTo("kipimo.partials");
        assertThat(sent.timestamp()).isEqualTo(NOW + 5);
        assertThat(Codecs.PARTIAL_RESULT.decode(sent.value()).component()).isEqualTo("a");
    }

    /** Otherwise an answer that waits for its broker is late by its own emitter's clock. */
    @Test
    void countsWaitUntilAllEarlierEventsHaveArrived() {
        MockProducer<byte[], byte[]> slow =
                new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        EmissionCounts counts = new EmissionCounts();
        Outbox outbox = new Outbox(100, () -> slow, Duration.ofSeconds(5), SampleService.OBSERVATIONS);
        Emitter emitter = emitter(outbox);
        emitter.emit(answer("q1"));
        emitter.emit(answer("q2"));
        outbox.offer(SampleService.observation(1, counts));
        emitter.emit(answer("q3"));
        outbox.offer(SampleService.observation(2, counts));
        await().until(() -> slow.history().size() == 3);
        assertThat(topics(slow)).doesNotContain(SampleService.OBSERVATIONS);

        slow.completeNext();
        // A failure ends the wait, too: the event is lost.
        slow.errorNext(new TimeoutException("no leader"));
        await().until(() -> slow.history().size() == 4);
        assertThat(topics(slow)).endsWith(SampleService.OBSERVATIONS);
        assertThat(slow.history().get(3).timestamp()).isEqualTo(1);

        slow.completeNext();
        await().until(() -> slow.history().size() == 5);
        assertThat(slow.history().get(4).timestamp()).isEqualTo(2);
        assertThat(emitter.stats().undelivered()).isEqualTo(1);
        outbox.close();
        assertThat(counts.stats().delivered()).isEqualTo(2);
    }

    /** Closing sends them all, in the same order. */
    @Test
    void whenClosingCountsFollowTheLastAnswer() {
        MockProducer<byte[], byte[]> slow =
                new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        EmissionCounts counts = new EmissionCounts();
        Outbox outbox = new Outbox(100, () -> slow, Duration.ofSeconds(5), SampleService.OBSERVATIONS);
        emitter(outbox).emit(answer("q1"));
        outbox.offer(SampleService.observation(1, counts));
        outbox.close();

        assertThat(topics(slow)).containsExactly("kipimo.answers", SampleService.OBSERVATIONS);
    }

    private static List<String> topics(MockProducer<byte[], byte[]> producer) {
        return producer.history().stream().map(ProducerRecord::topic).toList();
    }

    @Test
    void eventsThatExceedTheBufferAreDroppedAndCounted() {
        CountDownLatch blocked = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        Outbox outbox = outbox(10, () -> {
            asked.incrementAndGet();
            try {
                blocked.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return producer;
        });
        Emitter emitter = emitter(outbox);
        emitter.emit(answer("first"));
        await().until(() -> asked.get() == 1);
        for (int i = 0; i < 15; i++) {
            emitter.emit(answer("q" + i));
        }
        assertThat(emitter.stats()).isEqualTo(new EmitterStats(11, 0, 0, 5, 0));
        blocked.countDown();
        outbox.close();
        assertThat(emitter.stats().delivered()).isEqualTo(11);
        assertThat(emitter.stats().dropped()).isEqualTo(5);
    }

    @Test
    void aProducerThatBrokeIsReplaced() {
        MockProducer<byte[], byte[]> broken = mock();
        broken.sendException = new KafkaException("fenced");
        Deque<Producer<byte[], byte[]>> producers = new ArrayDeque<>();
        producers.add(broken);
        producers.add(producer);
        Outbox outbox = outbox(10, producers::poll);
        Emitter emitter = emitter(outbox);
        emitter.emit(answer("lost"));
        emitter.emit(answer("sent"));
        outbox.close();
        assertThat(broken.closed()).isTrue();
        assertThat(producer.history()).hasSize(1);
        assertThat(emitter.stats().undelivered()).isEqualTo(1);
        assertThat(emitter.stats().delivered()).isEqualTo(1);
    }

    @Test
    void aProducerThatCannotBeMadeIsTriedAgain() {
        AtomicInteger tries = new AtomicInteger();
        Outbox outbox = outbox(10, () -> {
            if (tries.incrementAndGet() == 1) {
                throw new KafkaException("no such host");
            }
            return producer;
        });
        Emitter emitter = emitter(outbox);
        emitter.emit(answer("q1"));
        await().until(() -> emitter.stats().delivered() == 1);
        outbox.close();
    }

    /** A short program may end before its first connection to Kafka is made. */
    @Test
    void closingWaitsForKafka() {
        AtomicInteger tries = new AtomicInteger();
        MockProducer<byte[], byte[]> slow =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                    @Override
                    public List<PartitionInfo> partitionsFor(String topic) {
                        if (tries.incrementAndGet() < 4) {
                            throw new TimeoutException("no metadata yet");
                        }
                        return super.partitionsFor(topic);
                    }
                };
        Outbox outbox = outbox(10, () -> {
            if (tries.incrementAndGet() == 1) {
                throw new KafkaException("no such host yet");
            }
            return slow;
        });
        Emitter emitter = emitter(outbox);
        emitter.emit(answer("q1"));
        emitter.emit(answer("q2"));
        outbox.close();
        assertThat(emitter.stats().delivered()).isEqualTo(2);
    }

    @Test
    void anEventThatCannotBeEncodedIsDroppedAlone() {
        Outbox outbox = outbox(10, () -> producer);
        Emitter emitter = emitter(outbox);
        EmissionCounts tally = new EmissionCounts();
        outbox.offer(new Outbox.QueuedEvent<>("kipimo.answers", "k", -1, Codecs.ANSWER, answer("q"), tally));
        emitter.emit(answer("q1"));
        outbox.close();
        assertThat(tally.stats().undelivered()).isEqualTo(1);
        assertThat(emitter.stats().delivered()).isEqualTo(1);
    }

    @Test
    void afterClosingEverythingIsDropped() {
        Outbox outbox = outbox(10, () -> producer);
        Emitter emitter = emitter(outbox);
        outbox.close();
        emitter.emit(answer("q1"));
        assertThat(emitter.stats().dropped()).isEqualTo(1);
    }

    @Test
    void theRateOfTheQuerysStartDecides() {
        Emitter emitter = emitter(outbox(1, () -> producer));
        rates.accept(SampleService.sampling(1, 1, 1, NOW - 60_000));
        String id = "query-7";
        assertThat(ConsistentSampling.isSampled(id, 0.1)).isFalse();
        assertThat(emitter.samplingRate()).isEqualTo(1);
        assertThat(emitter.isSampled(id)).isTrue();
        assertThat(emitter.isSampled(id, NOW - 60_000)).isFalse();
    }

    @Test
    void aShareOfTheSampledCleanQueriesIsProfiledAndEveryDegradedOne() {
        Emitter emitter = emitter(outbox(1, () -> producer));
        rates.accept(SampleService.sampling(1, 1, 0.2, NOW - 60_000));
        int sampled = 0;
        int profiled = 0;
        for (int i = 0; i < 20_000; i++) {
            Answer answer = answer("query-" + i);
            if (emitter.wantsPartials(answer)) {
                assertThat(emitter.isSampled(answer.queryId())).isTrue();
                profiled++;
            }
            sampled += emitter.isSampled(answer.queryId()) ? 1 : 0;
        }
        assertThat((double) profiled / sampled).isCloseTo(0.25, within(0.02));
        assertThat(emitter.wantsPartials(SampleService.degraded("query-1"))).isTrue();
    }

    @Test
    void unmeasurableAnswersNeedNoPartialResults() {
        Emitter emitter = emitter(outbox(1, () -> producer));
        rates.accept(SampleService.sampling(1, 1, 1, NOW - 60_000));
        for (int i = 0; i < 1_000; i++) {
            assertThat(emitter.wantsPartials(SampleService.unmeasurable("query-" + i)))
                    .isFalse();
            assertThat(emitter.wantsPartials(SampleService.withoutComponents("query-" + i)))
                    .isFalse();
        }
    }

    @Test
    void atTheBudgetOnlyDegradedQueriesEmitPartialResults() {
        Emitter emitter = emitter(outbox(1, () -> producer));
        rates.accept(SampleService.sampling(1, 1, 1, NOW - 60_000, DecisionReason.EXTRA_LOAD));
        for (int i = 0; i < 1_000; i++) {
            assertThat(emitter.wantsPartials(answer("query-" + i))).isFalse();
            assertThat(emitter.wantsPartials(SampleService.degraded("query-" + i)))
                    .isTrue();
        }
        rates.accept(SampleService.sampling(1, 2, 1, NOW - 30_000, DecisionReason.RENEWED));
        assertThat(rates.isScarceAt(NOW)).isFalse();
        assertThat(rates.isScarceAt(NOW - 40_000)).as("queries under way").isTrue();
    }

    @Test
    void aClosedPortDoesNotBlockTheService() {
        try (Kipimo kipimo = Kipimo.connect(SampleService.config())) {
            for (int i = 0; i < 20_000; i++) {
                kipimo.emitter().emit(answer("q" + i));
                kipimo.meter().offered(SampleService.HIGH);
                assertThat(kipimo.admission().fraction(SampleService.HIGH)).isEqualTo(1);
            }
            EmitterStats stats = kipimo.emitter().stats();
            assertThat(stats.accepted() + stats.bufferFull()).isEqualTo(20_000);
            assertThat(stats.bufferFull()).isPositive();
            assertThat(stats.delivered()).isZero();
        }
    }
}
