package io.kipimo.loadgen.squeeze;

import io.kipimo.core.rating.ExperimentTally;
import io.kipimo.core.rating.squeeze.SqueezeInput;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.TrafficCounts;
import io.kipimo.schemas.tails.Vantage;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Hears what servers report of themselves each second, and how good answers were, from now on. For
 * one thread.
 */
final class ServerFeed implements AutoCloseable {
    /** Servers come and go; no tier has more at once. */
    private static final int MOST_SERVERS = 10_000;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String observations;
    private final SqueezedServer squeezed;
    private final long boundMicros;

    /** The newest second of each server: a report may come twice. */
    private final Map<String, Long> heard = new HashMap<>();

    private LatencySketch latencies = new LatencySketch();
    private long fromMillis;

    /** Time that each component of the squeezed server has reported on. */
    private final Map<String, Long> observedMicros = new HashMap<>();

    private long open;

    // What came since the last poll.
    private boolean isNew;
    private boolean drowning;
    private ExperimentTally target;
    private ExperimentTally rest;

    /**
     * @param withQuality whether measured queries are heard, too
     * @throws org.apache.kafka.common.KafkaException if the log is away
     */
    ServerFeed(
            KafkaSettings kafka, SqueezedServer squeezed, long boundMicros, boolean withQuality) {
        this.squeezed = squeezed;
        this.boundMicros = boundMicros;
        this.observations = kafka.name(Topic.SERVER_OBSERVATIONS);
        consumer =
                new KafkaConsumer<>(
                        kafka.forReader(),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer());
        List<TopicPartition> partitions = new ArrayList<>();
        for (Topic topic :
                withQuality
                        ? List.of(Topic.SERVER_OBSERVATIONS, Topic.QUALITY)
                        : List.of(Topic.SERVER_OBSERVATIONS)) {
            consumer.partitionsFor(kafka.name(topic))
                    .forEach(p -> partitions.add(new TopicPartition(p.topic(), p.partition())));
        }
        consumer.assign(partitions);
        consumer.endOffsets(partitions).forEach(consumer::seek);
    }

    /** What happened before {@code millis} does not count any more. */
    void countFrom(long millis) {
        fromMillis = millis;
        observedMicros.clear();
        latencies = new LatencySketch();
    }

    /** Of the squeezed server, since {@link #countFrom}. */
    LatencySketch latencies() {
        return latencies;
    }

    /** Time that the squeezed server has reported on since {@link #countFrom}; reports lag. */
    long observedMillis() {
        return observedMicros.values().stream().mapToLong(m -> m).max().orElse(0) / 1_000;
    }

    /** What came within {@code patience}. */
    SqueezeInput poll(Duration patience, boolean restIsUp) {
        isNew = false;
        drowning = false;
        target = ExperimentTally.NONE;
        rest = ExperimentTally.NONE;
        for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(patience)) {
            if (entry.topic().equals(observations)) {
                TopicReader.decode(Codecs.SERVER_OBSERVATION, entry).ifPresent(this::onObservation);
            } else {
                TopicReader.decode(Codecs.MEASUREMENT, entry).ifPresent(this::onMeasurement);
            }
        }
        return new SqueezeInput(isNew, target, rest, drowning, restIsUp);
    }

    private void onObservation(ServerObservation report) {
        if (!report.service().equals(squeezed.service())
                || !report.tier().equals(squeezed.tier())
                || report.vantage() != Vantage.SERVER) {
            return;
        }
        String server = report.component() + '/' + report.server();
        Long before = heard.get(server);
        if ((before != null && before >= report.secondMillis())
                || (before == null && heard.size() >= MOST_SERVERS)) {
            return;
        }
        heard.put(server, report.secondMillis());
        boolean isTarget = report.server().equals(squeezed.server());
        TrafficCounts counts = report.counts();
        if (isTarget) {
            isNew = true;
            // Those that were open before are not known of.
            open =
                    Math.max(
                            0,
                            open
                                    + counts.arrivals()
                                    - counts.completions()
                                    - counts.timedOut()
                                    - counts.failed());
            drowning |= SqueezeInput.drowns(open, (double) counts.arrivals(), boundMicros);
        }
        if (report.secondMillis() < fromMillis) {
            return;
        }
        try {
            LatencySketch sketch =
                    report.latencies().length == 0
                            ? new LatencySketch()
                            : LatencySketch.fromBytes(report.latencies());
            if (isTarget) {
                latencies.merge(sketch);
                observedMicros.merge(report.component(), counts.observedMicros(), Long::sum);
                target = target.plus(tally(counts, sketch));
            } else {
                rest = rest.plus(tally(counts, sketch));
            }
        } catch (IllegalArgumentException e) {
            // A report that cannot be read tells nothing.
            return;
        }
    }

    private ExperimentTally tally(TrafficCounts counts, LatencySketch sketch) {
        long errors = counts.timedOut() + counts.failed();
        long within =
                sketch.isEmpty()
                        ? 0
                        : Math.round(sketch.shareAtMost((double) boundMicros) * sketch.count());
        long answered = Math.max(counts.completions(), sketch.count());
        return new ExperimentTally(
                answered + errors, Math.min(within, answered), errors, 0, 0, 0, 0);
    }

    private void onMeasurement(Measurement measured) {
        if (measured.service().equals(squeezed.service())
                && measured.startedAtMillis() >= fromMillis
                && measured.completeness() != Completeness.ORPHAN) {
            // Of what is not known better, the worst.
            double low = measured.scores().isEmpty() ? 0 : measured.scores().get(0).low();
            target = target.plus(new ExperimentTally(0, 0, 0, 0, 0, 1, low));
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
