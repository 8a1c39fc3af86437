package io.kipimo.jobs;

import io.kipimo.jobs.options.OptionSet.CommonOptions;
import io.kipimo.kafka.KafkaSinks;
import io.kipimo.kafka.KafkaSources;
import io.kipimo.kafka.TopicRecords;
import io.kipimo.operators.batch.MiniBatchOperator;
import io.kipimo.operators.policy.PolicyBook.SerializableFunction;
import io.kipimo.operators.quality.LogPartitions;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.streaming.api.datastream.DataStream;

/** Writes a job's streams to topics. */
public record Output(CommonOptions options) {
    /**
     * Writes a stream with the delivery guarantee of the options. See {@link #prompt} for records that readers wait
     * for.
     */
    public <T> void facts(DataStream<T> stream, TopicRecords<T> records) {
        write(stream, records, options.guarantee());
    }

    /** Writes a stream as {@link #facts} does, in batches, which suits many records. */
    public <T> void manyFacts(DataStream<T> stream, TopicRecords<T> records) {
        facts(MiniBatchOperator.inFrontOf(sink(records), stream), records);
    }

    /**
     * Writes records that readers wait for. The guarantee is always at-least-once, because a transaction would show the
     * records only at the next checkpoint.
     */
    public <T> void prompt(DataStream<T> stream, TopicRecords<T> records) {
        write(stream, records, DeliveryGuarantee.AT_LEAST_ONCE);
    }

    /**
     * Writes the newest record of each key to a compacted topic, at least once.
     *
     * @param record gives the record to write
     * @param isRemoved tells whether to remove the key from the topic instead
     */
    public <T, R> void latest(
            DataStream<T> stream,
            TopicRecords<R> records,
            SerializableFunction<T, R> record,
            SerializableFunction<T, Boolean> isRemoved) {
        to(KafkaSinks.latest(options.kafka(), records, record, isRemoved), sink(records), stream);
    }

    /** Writes dead letters of a job's sources and of these streams, with the keys of the refused records. */
    public void deadLetters(KafkaSources sources, List<DataStream<DeadLetter>> others) {
        DataStream<DeadLetter> all = Stream.concat(sources.deadLetters().stream(), others.stream())
                .reduce(DataStream::union)
                .orElseThrow();
        facts(all, TopicRecords.DEAD_LETTERS);
    }

    /** Writes events again, into the partitions of their queries. */
    public void strays(DataStream<LoggedEvent> strays, LogPartitions partitions) {
        to(KafkaSinks.strays(options.kafka(), partitions), "stray-events-sink", strays);
    }

    private <T> void write(DataStream<T> stream, TopicRecords<T> records, DeliveryGuarantee guarantee) {
        to(KafkaSinks.of(options.kafka(), records, guarantee, options.source().groupId()), sink(records), stream);
    }

    /** Writes a stream to a sink with this uid. */
    public static <T> void to(Sink<T> sink, String uid, DataStream<T> stream) {
        stream.sinkTo(sink).uid(uid).name(uid);
    }

    private static String sink(TopicRecords<?> records) {
        return records.topic().suffix() + "-sink";
    }
}
