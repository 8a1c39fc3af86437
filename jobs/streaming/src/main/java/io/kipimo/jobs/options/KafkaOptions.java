package io.kipimo.jobs.options;

import io.kipimo.kafka.SourceSettings;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.connector.base.DeliveryGuarantee;

/** Options with the brokers' address and with how to read and write topics. All jobs have them. */
public final class KafkaOptions {
    private static final Options GROUP = new Options();

    /** Keys with this prefix go to the Kafka clients, if they are on the allow-list. */
    public static final String PROPERTIES_PREFIX = "kafka.properties.";

    public static final BoundedOption<String> BOOTSTRAP_SERVERS = GROUP.text(
            "kafka.bootstrap-servers",
            null,
            "[^\\s,:]+:\\d+(,[^\\s,:]+:\\d+)*",
            "HOST:PORT[,HOST:PORT…]",
            "Brokers to connect to first.");
    public static final BoundedOption<String> TOPIC_PREFIX = GROUP.text(
            "kafka.topic-prefix",
            Topic.DEFAULT_PREFIX,
            "[A-Za-z0-9._-]{0,100}",
            "at most 100 of A-Z a-z 0-9 . _ -",
            "Prefix of all topic names.");
    public static final BoundedOption<String> GROUP_ID = GROUP.text(
            "source.group-id",
            "kipimo",
            "[A-Za-z0-9._-]{1,200}",
            "1 to 200 of A-Z a-z 0-9 . _ -",
            "Consumer group for committed offsets; the job's name is appended.");
    public static final BoundedOption<Duration> OUT_OF_ORDERNESS = GROUP.duration(
            "source.out-of-orderness",
            Duration.ofSeconds(5),
            Duration.ZERO,
            Duration.ofHours(1),
            "How far events of one partition may be out of order; events beyond it may count as late.");
    public static final BoundedOption<Duration> IDLENESS = GROUP.duration(
            "source.idleness",
            Duration.ofSeconds(10),
            Duration.ofMillis(100),
            Duration.ofHours(1),
            "Time without records after which a partition no longer holds back event time, once it is read to its end.");
    public static final BoundedOption<Duration> FUTURE_TOLERANCE = GROUP.duration(
            "source.future-tolerance",
            Duration.ofMillis(QueryEvent.MOST_AHEAD_MILLIS),
            Duration.ofSeconds(1),
            Duration.ofDays(1),
            "Events with a time further ahead of the clock become dead letters.");
    public static final BoundedOption<Boolean> BOUNDED =
            GROUP.flag("source.bounded", false, "Read what the topics hold now, then end: for recorded events.");
    public static final BoundedOption<Guarantee> GUARANTEE = GROUP.oneOf(
            "sink.guarantee",
            Guarantee.class,
            Guarantee.AT_LEAST_ONCE,
            "Delivery of facts. With AT_LEAST_ONCE a fact may appear twice, and its identity shows it. "
                    + "EXACTLY_ONCE shows a fact at the next checkpoint only. Windows and decisions are always "
                    + "AT_LEAST_ONCE; after a restart, a window may come again with other content.");
    public static final BoundedOption<BrokerAway> BROKER_AWAY = GROUP.oneOf(
            "startup.broker-away",
            BrokerAway.class,
            BrokerAway.WAIT,
            "What the job does when no broker answers at its start.");

    public static final BoundedOption<Integer> REPLICATION = GROUP.integer(
            "startup.topic-replication",
            0,
            0,
            9,
            "Replication factor of the missing topics that a job creates at its start; 0: the broker's default.");

    /** Delivery guarantees of facts, such as measurements. */
    public enum Guarantee {
        /** Facts are delivered at least once, without delay. */
        AT_LEAST_ONCE(DeliveryGuarantee.AT_LEAST_ONCE),
        /** Facts are delivered exactly once, in a transaction. */
        EXACTLY_ONCE(DeliveryGuarantee.EXACTLY_ONCE);

        private final DeliveryGuarantee flink;

        Guarantee(DeliveryGuarantee flink) {
            this.flink = flink;
        }

        DeliveryGuarantee flink() {
            return flink;
        }
    }

    /** Behaviour of a job if no broker answers at its start. */
    public enum BrokerAway {
        /** The job reports the problem and retries every few seconds. */
        WAIT,
        /** The job reports the problem and exits with code 2. */
        EXIT
    }

    private KafkaOptions() {}

    public static List<BoundedOption<?>> all() {
        return GROUP.all();
    }

    static KafkaSettings kafka(OptionSet.OptionReader reader) {
        String servers = reader.get(BOOTSTRAP_SERVERS);
        String prefix = reader.get(TOPIC_PREFIX);
        Map<String, String> properties = new HashMap<>();
        reader.config().toMap().forEach((key, value) -> {
            if (!key.startsWith(PROPERTIES_PREFIX)) {
                return;
            }
            String property = key.substring(PROPERTIES_PREFIX.length());
            if (KafkaSettings.isSecret(property)) {
                // Flink shows and logs a job's options.
                reader.problem(key
                        + " is a secret in an option (hidden); allowed: "
                        + key
                        + ".file or "
                        + key
                        + ".env, which name its location");
            } else {
                properties.put(property, value);
            }
        });
        try {
            return new KafkaSettings(usable(servers), prefix, properties);
        } catch (IllegalArgumentException e) {
            String.valueOf(e.getMessage()).lines().forEach(reader::problem);
            return null;
        }
    }

    /** Replaces servers that were already reported as a problem, so that they are not reported twice. */
    private static String usable(String servers) {
        return servers != null && BOOTSTRAP_SERVERS.check().allows(servers) ? servers : "unset:1";
    }

    static SourceSettings source(OptionSet.OptionReader reader, String job) {
        String groupId = reader.get(GROUP_ID) + "-" + job;
        SourceSettings settings = SourceSettings.of(groupId)
                .withOutOfOrderness(reader.get(OUT_OF_ORDERNESS))
                .withIdleness(reader.get(IDLENESS))
                .withFutureTolerance(reader.get(FUTURE_TOLERANCE));
        return settings.withBounded(reader.get(BOUNDED));
    }
}
