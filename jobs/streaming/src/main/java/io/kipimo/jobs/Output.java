package io.kipimo.jobs;

import io.kipimo.jobs.options.JobOptions;
import io.kipimo.kafka.EventTime;
import io.kipimo.kafka.KafkaSinks;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.RecordKey;
import io.kipimo.operators.batch.MiniBatchOperator;
import io.kipimo.operators.quality.LogPartitions;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.topics.Topic;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/** Writes a job's streams to topics. */
public final class Output {
    private final JobOptions options;

    public Output(JobOptions options) {
        this.options = options;
    }

    /** Sink for facts, with the guarantee of the options. */
    public <T> void facts(
            DataStream<T> stream, Topic topic, Codec<T> codec, RecordKey.Text<T> key, EventTime<T> eventTime) {
        write(stream, topic, codec, RecordKey.text(key), eventTime, options.guarantee());
    }

    /** Facts, so many that they are better written in batches. */
    public <T> void manyFacts(
            DataStream<T> stream, Topic topic, Codec<T> codec, RecordKey.Text<T> key, EventTime<T> eventTime) {
        facts(MiniBatchOperator.inFrontOf(sink(topic), stream), topic, codec, key, eventTime);
    }

    /**
     * Records that readers wait for: always at-least-once, because a transaction shows them at the next checkpoint
     * only.
     */
    public <T> void prompt(
            DataStream<T> stream, Topic topic, Codec<T> codec, RecordKey.Text<T> key, EventTime<T> eventTime) {
        write(stream, topic, codec, RecordKey.text(key), eventTime, DeliveryGuarantee.AT_LEAST_ONCE);
    }

    /**
     * The newest record of each key in a compacted topic, at least once.
     *
     * @param value null deletes the key from the topic
     */
    public <T, R> void latest(
            DataStream<T> stream,
            Topic topic,
            Codec<R> codec,
            RecordKey.Text<T> key,
            EventTime<T> eventTime,
            KafkaSinks.Value<T, R> value) {
        String name = sink(topic);
        stream.sinkTo(KafkaSinks.latest(options.kafka(), topic, codec, RecordKey.text(key), eventTime, value))
                .uid(name)
                .name(name);
    }

    /** Dead letters of these sources and streams, with the keys of the refused records. */
    public void deadLetters(List<SingleOutputStreamOperator<?>> sources, List<DataStream<DeadLetter>> others) {
        DataStream<DeadLetter> all = Stream.concat(
                        sources.stream().map(s -> s.getSideOutput(KafkaSources.DEAD_LETTERS)), others.stream())
                .reduce(DataStream::union)
                .orElseThrow();
        write(
                all,
                Topic.DEAD_LETTERS,
                Codecs.DEAD_LETTER,
                DeadLetter::key,
                DeadLetter::seenAtMillis,
                options.guarantee());
    }

    /** Events that are written again, into the partitions of their queries. */
    public void strays(DataStream<LoggedEvent> strays, LogPartitions partitions) {
        String name = "stray-events-sink";
        strays.sinkTo(KafkaSinks.strays(options.kafka(), partitions)).uid(name).name(name);
    }

    private <T> void write(
            DataStream<T> stream,
            Topic topic,
            Codec<T> codec,
            RecordKey<T> key,
            EventTime<T> eventTime,
            DeliveryGuarantee guarantee) {
        String name = sink(topic);
        stream.sinkTo(KafkaSinks.of(
                        options.kafka(), topic, codec, key, eventTime, guarantee, options.transactionalIdPrefix(topic)))
                .uid(name)
                .name(name);
    }

    private static String sink(Topic topic) {
        return topic.suffix() + "-sink";
    }
}
