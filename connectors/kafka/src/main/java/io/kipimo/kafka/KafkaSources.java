package io.kipimo.kafka;

import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.kafka.HoldingSource.LogAccess;
import io.kipimo.operators.flink.KeyGroups;
import io.kipimo.operators.invalidation.InvalidationFormats;
import io.kipimo.operators.invalidation.InvalidationInput;
import io.kipimo.operators.invalidation.QueryTerms;
import io.kipimo.operators.invalidation.QueryWorth;
import io.kipimo.operators.invalidation.SubscriptionChange;
import io.kipimo.operators.policy.PolicyBook.SerializableFunction;
import io.kipimo.operators.quality.LogPartitions;
import io.kipimo.operators.quality.LoggedObservation;
import io.kipimo.operators.quality.QualityFormats;
import io.kipimo.operators.quality.RewrittenInput;
import io.kipimo.operators.quality.TimeInput;
import io.kipimo.operators.quality.UnreadEvent;
import io.kipimo.operators.tails.ReceivedObservation;
import io.kipimo.operators.tails.TailsFormats;
import io.kipimo.operators.types.EventFormats;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.JoinInput;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Either;
import org.apache.flink.util.OutputTag;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;

/**
 * Creates sources that read records from topics. Each source is followed by a chained operator, whose side output
 * {@link #DEAD_LETTERS} gets unusable records. Reading starts at the committed offsets, or at the earliest offsets if
 * none are committed, unless a method says otherwise. New partitions are found within ten seconds. Only committed
 * transactions are read.
 */
public final class KafkaSources {
    /** Side output with dead letters, which every source here has. */
    public static final OutputTag<DeadLetter> DEAD_LETTERS =
            new OutputTag<>("dead-letters", Format.typeOf(Codecs.DEAD_LETTER));

    private static final String QUERY_EVENTS_UID = "query-events";

    private static final EventTime<LoggedEvent> QUERY_EVENT_TIME =
            EventTime.by(LoggedEvent::eventTimeMillis, KafkaSources::writer);

    private static final RecordReader<LoggedObservation> OBSERVATION_READER = entry -> new LoggedObservation(
            Codecs.OBSERVATION.decode(entry.value()),
            entry.partition(),
            entry.offset(),
            ValidatingDeserializationSchema.beginning(entry.key()));

    private static final EventTime<LoggedObservation> OBSERVATION_TIME =
            EventTime.by(LoggedObservation::eventTimeMillis, LoggedObservation::server);

    private static final String DISCOVERY_MILLIS = "10000";

    /**
     * Greatest event-time lead of one partition over another. Without it, a whole backlog of answers would become open
     * queries at once, because many fit into one fetch. It exceeds usual differences between clocks, since a partition
     * with a greater lead is paused.
     */
    private static final Duration LONGEST_LEAD = Duration.ofSeconds(15);

    /** Interval of alignment checks. Each is a message to the JobManager and back, even without records. */
    private static final Duration LEAD_CHECK_INTERVAL = Duration.ofMillis(250);

    /**
     * Milliseconds for which a broker holds a fetch without records. Records are delivered at once anyway, so a longer
     * wait only saves requests.
     */
    private static final String FETCH_MAX_WAIT_MILLIS = "2000";

    /**
     * Milliseconds as in {@link #FETCH_MAX_WAIT_MILLIS}, but for an aligned source. A client has one fetch at a time.
     * While some partitions are paused, the broker may hold a fetch of the others, which have no records, and resumed
     * partitions wait for that fetch. With two seconds, subtasks made each other wait in turn, and a backlog was read
     * half as fast.
     */
    private static final String ALIGNED_FETCH_MAX_WAIT_MILLIS = "200";

    private final StreamExecutionEnvironment env;
    private final KafkaSettings kafka;
    private final SourceSettings settings;
    private final List<DataStream<DeadLetter>> deadLetters = new ArrayList<>();

    /** Creates the sources of one job in its environment. */
    public KafkaSources(StreamExecutionEnvironment env, KafkaSettings kafka, SourceSettings settings) {
        this.env = env;
        this.kafka = kafka;
        this.settings = settings;
    }

    /** Dead letters of all sources that were created so far. */
    public List<DataStream<DeadLetter>> deadLetters() {
        return List.copyOf(deadLetters);
    }

    /** Reads one topic in event time. The topic's name is the uid of the source. */
    public <T> SingleOutputStreamOperator<T> stream(TopicRecords<T> records) {
        return stream(records, Optional.empty());
    }

    /**
     * Reads one topic in event time, aligned with the other topics of a group: while a backlog is read, their event
     * times stay close together.
     *
     * @param group unique within the job
     */
    public <T> SingleOutputStreamOperator<T> streamInStep(TopicRecords<T> records, String group) {
        return stream(records, Optional.of(group));
    }

    private <T> SingleOutputStreamOperator<T> stream(TopicRecords<T> records, Optional<String> inStep) {
        return fromCommitted(
                List.of(records.topic()),
                RecordReader.of(records.codec()),
                records.time(),
                Format.typeOf(records.codec()),
                inStep,
                splitter(),
                records.topic().suffix());
    }

    /**
     * Reads what the join needs: each subtask reads the answers and partial results of the partitions that it owns
     * ({@link LogPartitions#owner}), the event time of all observations, and all policies. The join is either chained
     * to the returned stream or receives it through a shuffle.
     *
     * @param isShuffled whether a shuffle leads to the join
     * @param samplesBacklog whether the join is chained and may leave events out, so that it gets only their heads at
     *     first
     */
    public SingleOutputStreamOperator<JoinInput> joinInputs(
            LogPartitions partitions, boolean isShuffled, boolean samplesBacklog) {
        SampledEventReader events = new SampledEventReader(kafka.name(Topic.ANSWERS));
        JoinInputDeserializationSchema reader = new JoinInputDeserializationSchema(
                kafka.name(Topic.POLICIES),
                kafka.name(Topic.OBSERVATIONS),
                inspection(events, QUERY_EVENT_TIME, Topic.ANSWERS, EventFormats.EVENT.typeInfo()),
                policyReader(QualitySettings::of),
                inspection(
                        OBSERVATION_READER,
                        OBSERVATION_TIME,
                        Topic.OBSERVATIONS,
                        QualityFormats.LOGGED_OBSERVATION.typeInfo()),
                samplesBacklog ? events : null);
        Optional<String> inStep = Optional.of(QUERY_EVENTS_UID);
        LogAccess access = access(QUERY_EVENTS_UID, Set.of(kafka.name(Topic.POLICIES)));
        KafkaSource<Either<DeadLetter, JoinInput>> source = followed(
                access, List.of(Topic.ANSWERS, Topic.PARTIALS, Topic.OBSERVATIONS), QUERY_EVENTS_UID, reader, inStep);
        WatermarkStrategy<Either<DeadLetter, JoinInput>> watermarks = GoodRecordWatermarks.strategy(
                settings, EventTime.by(JoinInput::eventTimeMillis, KafkaSources::writer), WallClock.SYSTEM);
        SingleOutputStreamOperator<JoinInput> inputs = stream(
                new OwnedPartitionsSource<>(
                        source,
                        access,
                        kafka.name(Topic.POLICIES),
                        kafka.name(Topic.OBSERVATIONS),
                        partitions,
                        env.getMaxParallelism()),
                inStep(watermarks, inStep),
                new JoinFeed(env.getBufferTimeout(), partitions, settings.tolerance(), isShuffled),
                QualityFormats.JOIN_INPUT.typeInfo(),
                QUERY_EVENTS_UID,
                env.getParallelism());
        KeyGroups.keepState(inputs);
        return inputs;
    }

    /**
     * Reads observations of front ends, with their positions in Kafka. An observation that is ahead of its proven time
     * counts for the last second that had ended by the proven time. Control batches follow the seconds of all front
     * ends, so otherwise one wrong clock would delay them for all.
     */
    public SingleOutputStreamOperator<LoggedObservation> observations() {
        return fromCommitted(
                List.of(Topic.OBSERVATIONS),
                OBSERVATION_READER,
                OBSERVATION_TIME,
                QualityFormats.LOGGED_OBSERVATION.typeInfo(),
                Optional.empty(),
                new ObservationSplitter(env.getBufferTimeout()),
                Topic.OBSERVATIONS.suffix());
    }

    /** Reads servers' observations, with their positions in Kafka. */
    public SingleOutputStreamOperator<ReceivedObservation> serverObservations() {
        return fromCommitted(
                List.of(Topic.SERVER_OBSERVATIONS),
                new ServerObservationReader(),
                EventTime.by(ReceivedObservation::eventTimeMillis, ReceivedObservation::server),
                TailsFormats.RECEIVED_OBSERVATION.typeInfo(),
                // Without alignment, a partition that is ahead would fill its servers' open windows.
                Optional.of(Topic.SERVER_OBSERVATIONS.suffix()),
                splitter(),
                Topic.SERVER_OBSERVATIONS.suffix());
    }

    /**
     * Owner of an event's clock: the component of a partial result, but only the service of an answer, since an answer
     * does not name its front end.
     */
    private static String writer(LoggedEvent event) {
        return event.isAnswer() ? event.key().service() : event.key().service() + '/' + event.component();
    }

    private static String writer(JoinInput input) {
        if (input instanceof LoggedEvent event) {
            return writer(event);
        }
        if (input instanceof RewrittenInput rewritten) {
            return writer(rewritten.event());
        }
        if (input instanceof UnreadEvent unread) {
            return unread.head().key().service();
        }
        return input instanceof TimeInput ? EventTime.REPORTED_ELSEWHERE : "unnamed";
    }

    /**
     * Aligns partitions, but not for bounded reading: the connector fails if it has to pause a partition just when it
     * finishes it.
     */
    private <T> WatermarkStrategy<T> inStep(WatermarkStrategy<T> watermarks, Optional<String> group) {
        return settings.bounded() || group.isEmpty()
                ? watermarks
                : watermarks.withWatermarkAlignment(group.get(), LONGEST_LEAD, LEAD_CHECK_INTERVAL);
    }

    /**
     * Reads all policies from the beginning of their topic, then each change. The stream is idle for watermarks, so it
     * neither delays nor advances the streams that it is connected to. It has parallelism 1, because its topic has one
     * partition.
     */
    public SingleOutputStreamOperator<Policy> policies() {
        return policies(policy -> policy);
    }

    /**
     * Reads the policies that a job can use; all other policies become dead letters.
     *
     * @param use throws IllegalArgumentException for a policy that the job cannot use
     */
    public SingleOutputStreamOperator<Policy> policies(SerializableFunction<Policy, ?> use) {
        return fromEarliest(
                Topic.POLICIES, policyReader(use), Format.typeOf(Codecs.POLICY), Topic.POLICIES.suffix(), 1);
    }

    private ValidatingDeserializationSchema<Policy> policyReader(SerializableFunction<Policy, ?> use) {
        EventTime<Policy> anyTime = policy -> 0;
        return inspection(RecordReader.ofPolicies(use), anyTime, false, Format.typeOf(Codecs.POLICY));
    }

    /**
     * Reads writes of records and parses their documents, so that malformed ones become dead letters before matching.
     */
    public SingleOutputStreamOperator<AfterImage> recordWrites() {
        return fromCommitted(
                List.of(Topic.WRITES),
                entry -> InvalidationInput.write(Codecs.RECORD_WRITE.decode(entry.value())),
                EventTime.by(AfterImage::writtenAtMillis, AfterImage::collection),
                InvalidationFormats.WRITE.typeInfo(),
                Optional.empty(),
                splitter(),
                "record-writes");
    }

    /**
     * Reads subscriptions and their ends from the earliest record, since all active subscriptions count. The records
     * carry no event time.
     */
    public SingleOutputStreamOperator<SubscriptionChange> subscriptions() {
        return withRemovals(
                Topic.SUBSCRIPTIONS,
                new SubscriptionReader(),
                change -> change.terms().map(QueryTerms::registeredMillis).orElse(0L),
                InvalidationFormats.SUBSCRIPTION.typeInfo(),
                Topic.SUBSCRIPTIONS.suffix());
    }

    /**
     * Reads the worth of queries, which the ttl job estimates, from the earliest record. A record without a value ends
     * the estimate of a query that is no longer read. The records carry no event time.
     */
    public SingleOutputStreamOperator<QueryWorth> queryWorths() {
        return withRemovals(
                Topic.TTLS,
                RecordReader.orEnds(
                        entry -> QueryWorth.of(Codecs.TTL_ESTIMATE.decode(entry.value())),
                        QueryWorth::forgotten,
                        "an estimate"),
                worth -> 0,
                InvalidationFormats.WORTH.typeInfo(),
                "query-worths");
    }

    /** Reads a topic from its earliest record, including removals of keys. The records carry no event time. */
    private <T> SingleOutputStreamOperator<T> withRemovals(
            Topic topic, RecordReader<T> reader, EventTime<T> eventTime, TypeInformation<T> type, String uid) {
        return fromEarliest(topic, inspection(reader, eventTime, false, type), type, uid, env.getParallelism());
    }

    private <T> SingleOutputStreamOperator<T> fromEarliest(
            Topic topic,
            ValidatingDeserializationSchema<T> inspection,
            TypeInformation<T> type,
            String uid,
            int parallelism) {
        return stream(
                source(
                        List.of(topic),
                        uid,
                        inspection,
                        Optional.empty(),
                        OffsetsInitializer.earliest(),
                        new Properties()),
                GoodRecordWatermarks.none(),
                splitter(),
                type,
                uid,
                parallelism);
    }

    /**
     * Reads topics with the same kind of records from the group's committed offsets, or from the earliest offsets if
     * none are committed.
     *
     * @param inStep name of the alignment group; empty: no alignment
     */
    private <T> SingleOutputStreamOperator<T> fromCommitted(
            List<Topic> topics,
            RecordReader<T> reader,
            EventTime<T> eventTime,
            TypeInformation<T> type,
            Optional<String> inStep,
            DeadLetterSplitter<T> separation,
            String uid) {
        WatermarkStrategy<Either<DeadLetter, T>> watermarks =
                GoodRecordWatermarks.strategy(settings, eventTime, WallClock.SYSTEM);
        LogAccess access = access(uid, Set.of());
        ValidatingDeserializationSchema<T> inspection = inspection(reader, eventTime, topics.get(0), type);
        return stream(
                new HoldingSource<>(followed(access, topics, uid, inspection, inStep), access),
                inStep(watermarks, inStep),
                separation,
                type,
                uid,
                env.getParallelism());
    }

    private LogAccess access(String uid, Set<String> timelessTopics) {
        HashMap<String, Object> admin = new HashMap<>(kafka.forAdmin());
        admin.put(AdminClientConfig.CLIENT_ID_CONFIG, settings.groupId() + '-' + uid);
        return new LogAccess(new ReadPositions(), admin, settings, timelessTopics);
    }

    /**
     * Returns a source with event time, which starts at the committed offsets, or at the earliest offsets if none are
     * committed.
     */
    private <T> KafkaSource<Either<DeadLetter, T>> followed(
            LogAccess access,
            List<Topic> topics,
            String uid,
            KafkaRecordDeserializationSchema<Either<DeadLetter, T>> inspection,
            Optional<String> inStep) {
        Properties following = new Properties();
        access.positions().follow(following);
        return source(
                topics, uid, access.positions().following(inspection), inStep, committedElseEarliest(), following);
    }

    private <T> DeadLetterSplitter<T> splitter() {
        return new DeadLetterSplitter<>(env.getBufferTimeout());
    }

    private <T> ValidatingDeserializationSchema<T> inspection(
            RecordReader<T> reader, EventTime<T> eventTime, Topic topic, TypeInformation<T> type) {
        return inspection(reader, eventTime, topic.cleanup() == Topic.Cleanup.COMPACT, type);
    }

    /** @param skipsRemovals whether records without value are skipped */
    private <T> ValidatingDeserializationSchema<T> inspection(
            RecordReader<T> reader, EventTime<T> eventTime, boolean skipsRemovals, TypeInformation<T> type) {
        return new ValidatingDeserializationSchema<>(
                reader, eventTime, settings.futureTolerance(), skipsRemovals, WallClock.SYSTEM, type);
    }

    private <T> KafkaSource<Either<DeadLetter, T>> source(
            List<Topic> topics,
            String uid,
            KafkaRecordDeserializationSchema<Either<DeadLetter, T>> inspection,
            Optional<String> inStep,
            OffsetsInitializer start,
            Properties more) {
        Properties properties = new Properties();
        properties.putAll(kafka.forConsumer());
        properties.putAll(more);
        properties.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "5000");
        properties.putIfAbsent(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, Integer.toString(4 << 20));
        properties.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, Integer.toString(16 << 20));
        // With Kafka's 64 kB, a broker and a reader of large batches wait for each other.
        properties.putIfAbsent(ConsumerConfig.RECEIVE_BUFFER_CONFIG, Integer.toString(2 << 20));
        properties.putIfAbsent(
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                inStep.isPresent() ? ALIGNED_FETCH_MAX_WAIT_MILLIS : FETCH_MAX_WAIT_MILLIS);
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        KafkaSourceBuilder<Either<DeadLetter, T>> builder = KafkaSource.<Either<DeadLetter, T>>builder()
                .setProperties(properties)
                .setTopics(topics.stream().map(kafka::name).toList())
                .setGroupId(settings.groupId())
                .setClientIdPrefix(settings.groupId() + '-' + uid)
                .setStartingOffsets(start)
                .setDeserializer(inspection);
        // A bounded reader starts several clients, whose metrics would collide.
        return (settings.bounded()
                        ? builder.setBounded(OffsetsInitializer.latest())
                                .setProperty(KafkaSourceOptions.REGISTER_KAFKA_CONSUMER_METRICS.key(), "false")
                        : builder.setProperty(
                                KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(), DISCOVERY_MILLIS))
                .build();
    }

    @SuppressWarnings("deprecation") // The connector's own signature asks for it.
    private static OffsetsInitializer committedElseEarliest() {
        return OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST);
    }

    private <T> SingleOutputStreamOperator<T> stream(
            Source<Either<DeadLetter, T>, ?, ?> source,
            WatermarkStrategy<Either<DeadLetter, T>> watermarks,
            DeadLetterSplitter<T> separation,
            TypeInformation<T> type,
            String uid,
            int parallelism) {
        SingleOutputStreamOperator<T> stream = env.fromSource(source, watermarks, uid)
                .uid(uid)
                .setParallelism(parallelism)
                .transform(uid + " without dead letters", type, separation)
                .uid(uid + "-separation")
                .setParallelism(parallelism);
        deadLetters.add(stream.getSideOutput(DEAD_LETTERS));
        return stream;
    }
}
