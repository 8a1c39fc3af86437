package io.kipimo.kafka;

import io.kipimo.schemas.deadletter.DeadLetter;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.api.lineage.LineageVertexProvider;
import org.apache.flink.types.Either;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** A {@link KafkaSource} whose partitions hold event time until they are read to their end ({@link HoldingReader}). */
class HoldingSource<T>
        implements Source<Either<DeadLetter, T>, KafkaPartitionSplit, KafkaSourceEnumState>,
                ResultTypeQueryable<Either<DeadLetter, T>>,
                LineageVertexProvider {
    private final KafkaSource<Either<DeadLetter, T>> source;
    private final LogAccess access;

    /**
     * Gives a reader access to facts about the log.
     *
     * @param positions positions of the source's client in its partitions
     * @param admin properties for an admin client
     * @param timelessTopics topics whose records have no event time
     */
    record LogAccess(
            ReadPositions positions, HashMap<String, Object> admin, SourceSettings settings, Set<String> timelessTopics)
            implements Serializable {}

    HoldingSource(KafkaSource<Either<DeadLetter, T>> source, LogAccess access) {
        this.source = source;
        this.access = access;
    }

    @Override
    public Boundedness getBoundedness() {
        return source.getBoundedness();
    }

    /**
     * Creates a reader, which is a {@link HoldingReader} unless the source is bounded. A bounded reader stops at the
     * end of its partitions, so they are never idle.
     */
    @Override
    public SourceReader<Either<DeadLetter, T>, KafkaPartitionSplit> createReader(SourceReaderContext context)
            throws Exception {
        SourceReader<Either<DeadLetter, T>, KafkaPartitionSplit> reader = source.createReader(context);
        SourceSettings settings = access.settings();
        return settings.bounded()
                ? reader
                : new HoldingReader<>(
                        reader,
                        access.positions(),
                        ends(context),
                        access.timelessTopics()::contains,
                        settings.idleness().toMillis(),
                        HoldingReader.Pace.EACH_SECOND,
                        context.metricGroup());
    }

    private Supplier<LogEnds> ends(SourceReaderContext context) {
        Map<String, Object> properties = new HashMap<>(access.admin());
        properties.merge(
                AdminClientConfig.CLIENT_ID_CONFIG,
                "-ends-" + context.getIndexOfSubtask(),
                (prefix, suffix) -> prefix.toString() + suffix);
        return () -> LogEnds.of(Admin.create(properties), access.settings().groupId());
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context) {
        return source.createEnumerator(context);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state) throws Exception {
        return source.restoreEnumerator(context, state);
    }

    @Override
    public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
        return source.getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
        return source.getEnumeratorCheckpointSerializer();
    }

    @Override
    public LineageVertex getLineageVertex() {
        return source.getLineageVertex();
    }

    @Override
    public TypeInformation<Either<DeadLetter, T>> getProducedType() {
        return source.getProducedType();
    }
}
