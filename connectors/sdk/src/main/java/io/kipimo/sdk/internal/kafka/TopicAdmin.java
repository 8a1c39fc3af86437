package io.kipimo.sdk.internal.kafka;

import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;

/** Creates topics, and inspects the topics of the catalogue. */
public final class TopicAdmin {
    /** Longest time that a broker may take to answer one request. */
    public static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final long POLL_MILLIS = 50;

    /** Topics that services write. */
    private static final Set<Topic> INPUTS = EnumSet.of(Topic.ANSWERS, Topic.PARTIALS, Topic.OBSERVATIONS);

    /**
     * Topics whose records carry time stamps of other processes' clocks. The broker's append time bounds how far such a
     * record may move event time, so Kafka stores the append time as the record's time stamp.
     */
    private static final Set<Topic> STAMPED_BY_OTHERS = EnumSet.of(
            Topic.ANSWERS,
            Topic.PARTIALS,
            Topic.OBSERVATIONS,
            Topic.SERVER_OBSERVATIONS,
            Topic.READS,
            Topic.WRITES,
            Topic.CACHE_USES,
            Topic.EXPERIMENT_RESULTS);

    private static final String LOG_APPEND_TIME = "LogAppendTime";

    private TopicAdmin() {}

    /**
     * Creates missing topics and returns when all can be used. Existing topics are not changed.
     *
     * @param partitions partitions of topics that need no order across keys; 0: as in the catalogue
     * @param replication copies of each partition; 0: the broker's default
     * @return names of the topics that were created
     * @throws BrokerUnavailableException if Kafka does not answer, or refuses
     */
    public static List<String> createMissing(KafkaSettings settings, int partitions, short replication) {
        return createMissing(settings, partitions, replication, PATIENCE);
    }

    /**
     * As above, with a given patience.
     *
     * @param patience longest time that a broker may take to answer one request
     */
    public static List<String> createMissing(
            KafkaSettings settings, int partitions, short replication, Duration patience) {
        return create(settings, "create topics", wanted(settings.topicPrefix(), partitions, replication), patience);
    }

    /**
     * Creates the wanted topics that are missing and returns when all wanted ones can be used. Existing topics are not
     * changed.
     *
     * @param purpose name of the action in error messages
     * @return names of the topics that were created
     * @throws BrokerUnavailableException if Kafka does not answer, or refuses
     */
    public static List<String> create(
            KafkaSettings settings, String purpose, List<NewTopic> wanted, Duration patience) {
        return ask(settings, patience, purpose, admin -> {
            Set<String> present = admin.listTopics().names().get();
            List<NewTopic> missing =
                    wanted.stream().filter(t -> !present.contains(t.name())).toList();
            List<String> created = new ArrayList<>();
            var results = admin.createTopics(missing).values();
            for (var result : results.entrySet()) {
                try {
                    result.getValue().get();
                    created.add(result.getKey());
                } catch (ExecutionException e) {
                    // Another process has created it meanwhile.
                    if (!(e.getCause() instanceof TopicExistsException)) {
                        throw e;
                    }
                }
            }
            awaitUsable(admin, wanted.stream().map(NewTopic::name).toList(), patience);
            created.sort(null);
            return created;
        });
    }

    /**
     * The topics of the catalogue as they should be created.
     *
     * @param partitions as in {@link #createMissing}
     * @param replication as in {@link #createMissing}
     */
    public static List<NewTopic> wanted(String prefix, int partitions, short replication) {
        if (partitions < 0 || replication < 0) {
            throw new IllegalArgumentException(
                    "partitions is %s, replication %s; allowed: partitions >= 0, replication >= 0"
                            .formatted(partitions, replication));
        }
        return Stream.of(Topic.values())
                .map(topic -> wanted(topic, prefix, partitions, replication))
                .toList();
    }

    /**
     * Number of brokers of the cluster.
     *
     * @throws BrokerUnavailableException if Kafka does not answer
     */
    public static int brokers(KafkaSettings settings) {
        return ask(settings, PATIENCE, "describe the cluster", admin -> admin.describeCluster()
                .nodes()
                .get()
                .size());
    }

    /**
     * Number of partitions of a topic.
     *
     * @throws BrokerUnavailableException if Kafka does not answer, or the topic does not exist
     */
    public static int partitions(KafkaSettings settings, Topic topic) {
        String name = settings.name(topic);
        return ask(settings, PATIENCE, "describe " + name, admin -> admin.describeTopics(List.of(name))
                .allTopicNames()
                .get()
                .get(name)
                .partitions()
                .size());
    }

    /**
     * Names of catalogue topics that do not exist.
     *
     * @throws BrokerUnavailableException if Kafka does not answer, or refuses
     */
    public static List<String> missing(KafkaSettings settings) {
        return ask(settings, PATIENCE, "list topics", admin -> {
            Set<String> present = admin.listTopics().names().get();
            return Stream.of(Topic.values())
                    .map(settings::name)
                    .filter(name -> !present.contains(name))
                    .toList();
        });
    }

    /**
     * Names of topics that should record append times and record the writers' times instead, such as topics that were
     * created by other tools. While a backlog of them is read, nothing bounds a writer's clock that is ahead.
     *
     * @throws BrokerUnavailableException if Kafka does not answer, or refuses
     */
    public static List<String> withoutAppendTime(KafkaSettings settings) {
        return ask(settings, PATIENCE, "describe topics", admin -> {
            Set<String> present = admin.listTopics().names().get();
            List<ConfigResource> resources = STAMPED_BY_OTHERS.stream()
                    .map(settings::name)
                    .filter(present::contains)
                    .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                    .toList();
            return admin.describeConfigs(resources).all().get().entrySet().stream()
                    .filter(topic -> !LOG_APPEND_TIME.equals(topic.getValue()
                            .get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG)
                            .value()))
                    .map(topic -> topic.getKey().name())
                    .sorted()
                    .toList();
        });
    }

    /**
     * Returns when a broker answers.
     *
     * @throws BrokerUnavailableException if none does within {@code patience}
     */
    public static void awaitBroker(KafkaSettings settings, Duration patience) {
        ask(settings, patience, "connect", admin -> admin.describeCluster()
                .clusterId()
                .get());
    }

    private static NewTopic wanted(Topic topic, String prefix, int partitions, short replication) {
        boolean ordered = topic.partitions() == 1;
        Map<String, String> configs = new TreeMap<>();
        // With three replicas, one broker may fail without blocking writers or losing data.
        if (replication > 0) {
            configs.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(Math.max(1, replication - 1)));
        }
        // Jobs may write an input record with fields added, so their topics allow larger records.
        configs.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(INPUTS.contains(topic) ? 1 << 20 : 2 << 20));
        if (STAMPED_BY_OTHERS.contains(topic)) {
            configs.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, LOG_APPEND_TIME);
        }
        switch (topic.cleanup()) {
            case DELETE -> {
                configs.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
                configs.put(
                        TopicConfig.RETENTION_MS_CONFIG, Long.toString(TimeUnit.DAYS.toMillis(topic.retentionDays())));
            }
            case COMPACT -> {
                configs.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
                // Readers start from the beginning, so the topic is kept short: segments older than
                // an hour are compacted once a tenth of their records is outdated.
                configs.put(TopicConfig.SEGMENT_MS_CONFIG, Long.toString(TimeUnit.HOURS.toMillis(1)));
                configs.put(TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.1");
            }
        }
        return new NewTopic(
                        topic.name(prefix),
                        Optional.of(ordered || partitions == 0 ? topic.partitions() : partitions),
                        replication == 0 ? Optional.empty() : Optional.of(replication))
                .configs(configs);
    }

    /**
     * Waits until all partitions have a leader that answers. A new topic is known to one broker after the other, and
     * its leaders are elected later. A leader that is not ready refuses a producer's first batch; if it accepts the
     * second batch before the retry, it never accepts the first.
     *
     * @param names topics that exist
     * @throws TimeoutException if one has no leader yet
     */
    private static void awaitUsable(Admin admin, List<String> names, Duration patience)
            throws ExecutionException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!isUsable(admin, names)) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException("no leader");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static boolean isUsable(Admin admin, List<String> names) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> partitions = new HashMap<>();
        try {
            for (TopicDescription topic :
                    admin.describeTopics(names).allTopicNames().get().values()) {
                for (TopicPartitionInfo partition : topic.partitions()) {
                    if (partition.leader() == null || partition.leader().equals(Node.noNode())) {
                        return false;
                    }
                    partitions.put(new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest());
                }
            }
            // Only a leader answers this request.
            var unused = admin.listOffsets(partitions).all().get();
            return true;
        } catch (ExecutionException e) {
            // Unknown topics cause this exception, too.
            if (e.getCause() instanceof RetriableException && !(e.getCause() instanceof TimeoutException)) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Open transactions in the topics that services write, as far as these exist.
     *
     * @param nowMillis epoch milliseconds
     * @throws BrokerUnavailableException if the brokers do not answer
     */
    public static List<OpenTransaction> openTransactions(KafkaSettings settings, long nowMillis) {
        return ask(settings, PATIENCE, "looking for open transactions", admin -> {
            Set<String> names = admin.listTopics().names().get();
            Map<TopicPartition, OffsetSpec> partitions = new HashMap<>();
            List<String> inputs =
                    INPUTS.stream().map(settings::name).filter(names::contains).toList();
            admin.describeTopics(inputs).allTopicNames().get().forEach((name, topic) -> topic.partitions()
                    .forEach(p -> partitions.put(new TopicPartition(name, p.partition()), OffsetSpec.latest())));
            Map<TopicPartition, ListOffsetsResultInfo> stable = ends(admin, partitions, IsolationLevel.READ_COMMITTED);
            Map<TopicPartition, ListOffsetsResultInfo> ends = ends(admin, partitions, IsolationLevel.READ_UNCOMMITTED);
            List<TopicPartition> waiting = partitions.keySet().stream()
                    .filter(p -> stable.get(p).offset() < ends.get(p).offset())
                    .sorted(Comparator.comparing(TopicPartition::toString))
                    .toList();
            if (waiting.isEmpty()) {
                return List.of();
            }
            Map<Long, String> ids = new HashMap<>();
            admin.listTransactions().all().get().forEach(t -> ids.put(t.producerId(), t.transactionalId()));
            List<OpenTransaction> open = new ArrayList<>();
            admin.describeProducers(waiting).all().get().forEach((partition, state) -> state.activeProducers().stream()
                    .filter(producer -> producer.currentTransactionStartOffset().isPresent())
                    .forEach(producer -> open.add(new OpenTransaction(
                            partition.topic(),
                            partition.partition(),
                            ids.getOrDefault(producer.producerId(), "number " + producer.producerId()),
                            ends.get(partition).offset()
                                    - producer.currentTransactionStartOffset().getAsLong(),
                            nowMillis - producer.lastTimestamp()))));
            open.sort(Comparator.comparing(OpenTransaction::topic).thenComparing(OpenTransaction::partition));
            return List.copyOf(open);
        });
    }

    private static Map<TopicPartition, ListOffsetsResultInfo> ends(
            Admin admin, Map<TopicPartition, OffsetSpec> partitions, IsolationLevel isolation)
            throws ExecutionException, InterruptedException {
        return admin.listOffsets(partitions, new ListOffsetsOptions(isolation))
                .all()
                .get();
    }

    /** A request to the brokers. */
    public interface AdminRequest<R> {
        R ask(Admin admin) throws ExecutionException, InterruptedException;
    }

    /**
     * Sends a request with an admin client that is closed afterwards.
     *
     * @param purpose name of the action in error messages
     * @throws BrokerUnavailableException if Kafka does not answer, or refuses
     */
    public static <R> R ask(KafkaSettings settings, Duration patience, String purpose, AdminRequest<R> question) {
        Map<String, Object> properties = settings.forAdmin();
        int millis = (int) Math.min(Integer.MAX_VALUE, patience.toMillis());
        properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
        properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.min(millis, 5_000));
        try (Admin admin = Admin.create(properties)) {
            return question.ask(admin);
        } catch (ExecutionException | KafkaException e) {
            throw BrokerUnavailableException.during(purpose, settings, patience, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BrokerUnavailableException.during(purpose, settings, patience, e);
        }
    }
}
