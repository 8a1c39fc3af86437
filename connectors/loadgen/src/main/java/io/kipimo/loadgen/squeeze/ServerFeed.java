package io.kipimo.loadgen.squeeze;

import io.kipimo.core.rating.SqueezeInput;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.rating.ExperimentCounts;
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

/** Reads the servers' observations of each second, and the quality of answers, from now on. Not thread-safe. */
final class ServerFeed implements AutoCloseable {
    /** Bounds the servers of a tier, which come and go. */
    private static final int MOST_SERVERS = 10_000;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String observations;
    private final SqueezedServer squeezed;
    private final long boundMicros;

    /** The newest second of each server, because an observation may arrive twice. */
    private final Map<String, Long> newestSeconds = new HashMap<>();

    private LatencySketch latencies = new LatencySketch();
    private long fromMillis;

    /** Observed time of each component of the squeezed server. */
    private final Map<String, Long> observedMicros = new HashMap<>();

    private long open;

    // Sums since the last poll.
    private boolean isNew;
    private boolean drowning;
    private ExperimentCounts target;
    private ExperimentCounts rest;

    /**
     * @param withQuality whether measured queries are read, too
     * @throws org.apache.kafka.common.KafkaException if the log is unavailable
     */
    ServerFeed(KafkaSettings kafka, SqueezedServer squeezed, long boundMicros, boolean withQuality) {
        this.squeezed = squeezed;
        this.boundMicros = boundMicros;
        this.observations = kafka.name(Topic.SERVER_OBSERVATIONS);
        consumer = new KafkaConsumer<>(kafka.forReader(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = new ArrayList<>();
        for (Topic topic :
                withQuality ? List.of(Topic.SERVER_OBSERVATIONS, Topic.QUALITY) : List.of(Topic.SERVER_OBSERVATIONS)) {
            consumer.partitionsFor(kafka.name(topic))
                    .forEach(p -> partitions.add(new TopicPartition(p.topic(), p.partition())));
        }
        consumer.assign(partitions);
        consumer.endOffsets(partitions).forEach(consumer::seek);
    }

    /** Ignores everything before {@code millis} from now on. */
    void countFrom(long millis) {
        fromMillis = millis;
        observedMicros.clear();
        latencies = new LatencySketch();
    }

    /** Latencies of the squeezed server since {@link #countFrom}. */
    LatencySketch latencies() {
        return latencies;
    }

    /** Observed time of the squeezed server since {@link #countFrom}; observations arrive late. */
    long observedMillis() {
        return observedMicros.values().stream().mapToLong(m -> m).max().orElse(0) / 1_000;
    }

    /** Figures that arrived within {@code patience}. */
    SqueezeInput poll(Duration patience, boolean restIsUp) {
        isNew = false;
        drowning = false;
        target = ExperimentCounts.NONE;
        rest = ExperimentCounts.NONE;
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
        Long before = newestSeconds.get(server);
        if ((before != null && before >= report.secondMillis())
                || (before == null && newestSeconds.size() >= MOST_SERVERS)) {
            return;
        }
        newestSeconds.put(server, report.secondMillis());
        boolean isTarget = report.server().equals(squeezed.server());
        TrafficCounts counts = report.counts();
        if (isTarget) {
            isNew = true;
            // Requests that were open before the feed began are unknown, hence the lower bound 0.
            open = Math.max(0, open + counts.arrivals() - counts.completions() - counts.timedOut() - counts.failed());
            drowning |= SqueezeInput.drowns(open, (double) counts.arrivals(), boundMicros);
        }
        if (report.secondMillis() < fromMillis) {
            return;
        }
        try {
            LatencySketch sketch =
                    report.latencies().length == 0 ? new LatencySketch() : LatencySketch.fromBytes(report.latencies());
            if (isTarget) {
                latencies.merge(sketch);
                observedMicros.merge(report.component(), counts.observedMicros(), Long::sum);
                target = target.plus(tally(counts, sketch));
            } else {
                rest = rest.plus(tally(counts, sketch));
            }
        } catch (IllegalArgumentException e) {
            // Ignore an unreadable record.
            return;
        }
    }

    private ExperimentCounts tally(TrafficCounts counts, LatencySketch sketch) {
        long errors = counts.timedOut() + counts.failed();
        long within = sketch.isEmpty() ? 0 : Math.round(sketch.shareAtMost((double) boundMicros) * sketch.count());
        long answered = Math.max(counts.completions(), sketch.count());
        return ExperimentCounts.of(answered + errors, Math.min(within, answered), errors, 0, 0, 0, 0);
    }

    private void onMeasurement(Measurement measured) {
        if (measured.service().equals(squeezed.service())
                && measured.startedAtMillis() >= fromMillis
                && measured.completeness() != Completeness.ORPHAN) {
            // Assume the worst for unknown figures.
            double low =
                    measured.scores().isEmpty() ? 0 : measured.scores().get(0).low();
            target = target.plus(ExperimentCounts.of(0, 0, 0, 0, 0, 1, low));
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
