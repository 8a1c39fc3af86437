package io.kipimo.jobs.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.core.invalidation.AccessCosts;
import io.kipimo.core.quality.join.BacklogSampling;
import io.kipimo.core.quality.window.Budgets;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.ttl.TtlSettings;
import io.kipimo.jobs.admission.AdmissionJob;
import io.kipimo.jobs.invalidation.InvalidationJob;
import io.kipimo.jobs.options.KafkaOptions.BrokerAway;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.jobs.replication.ReplicationJob;
import io.kipimo.jobs.tails.TailsJob;
import io.kipimo.jobs.ttl.TtlJob;
import io.kipimo.kafka.KafkaSinks;
import io.kipimo.operators.invalidation.InvalidationSettings;
import io.kipimo.operators.tails.TailsSettings;
import io.kipimo.operators.ttl.TtlFlowSettings;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.topics.Topic;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobOptionsTest {
    private static Configuration config(String... keysAndValues) {
        Map<String, String> map = new HashMap<>();
        map.put("kafka.bootstrap-servers", "broker:9092");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return Configuration.fromMap(map);
    }

    @Test
    void onlyTheBrokersMustBeSet() throws Exception {
        OptionSet.Valid<JoinOptions.Join> options = QualityJob.OPTIONS.read(config());

        assertThat(options.common().kafka().bootstrapServers()).isEqualTo("broker:9092");
        assertThat(options.common().kafka().topicPrefix()).isEqualTo("kipimo.");
        assertThat(options.common().source().outOfOrderness()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.common().source().idleness()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.common().source().futureTolerance()).isEqualTo(Duration.ofSeconds(60));
        assertThat(options.common().source().groupId()).isEqualTo("kipimo-quality");
        assertThat(options.common().source().bounded()).isFalse();
        assertThat(options.common().guarantee()).isEqualTo(DeliveryGuarantee.AT_LEAST_ONCE);
        assertThat(options.common().brokerAway()).isEqualTo(BrokerAway.WAIT);
        assertThat(options.common().topicReplication()).isZero();
        assertThat(AdmissionJob.OPTIONS.read(config()).own()).isEmpty();
        assertThat(ReplicationJob.OPTIONS.read(config()).common().source().groupId())
                .isEqualTo("kipimo-replication");
    }

    @Test
    void aBacklogIsMeasuredInFullUnlessARateIsSet() throws Exception {
        assertThat(QualityJob.OPTIONS.read(config()).own().backlog().isOn()).isFalse();
        assertThat(QualityJob.OPTIONS
                        .read(config("join.backlog-rate", "0.1"))
                        .own()
                        .backlog())
                .isEqualTo(new BacklogSampling.BacklogSettings(10, 300_000, 10_000));
        assertThatThrownBy(() -> QualityJob.OPTIONS.read(config("join.backlog-begin", "10 s")))
                .hasMessage("join.backlog-end is 10 s; allowed: less than join.backlog-begin");
    }

    /** Otherwise brokers fence one of them, and facts are lost. */
    @Test
    void noTwoInstallationsOrJobsOnTheSameBrokersShareTransactions() throws Exception {
        List<String> prefixes = List.of(
                prefix(QualityJob.OPTIONS.read(config()), Topic.DEAD_LETTERS),
                prefix(ReplicationJob.OPTIONS.read(config()), Topic.DEAD_LETTERS),
                prefix(QualityJob.OPTIONS.read(config()), Topic.QUALITY),
                prefix(QualityJob.OPTIONS.read(config("kafka.topic-prefix", "staging.")), Topic.QUALITY),
                prefix(QualityJob.OPTIONS.read(config("source.group-id", "blue")), Topic.QUALITY));

        assertThat(prefixes).doesNotHaveDuplicates();
    }

    private static String prefix(OptionSet.Valid<?> options, Topic topic) {
        return KafkaSinks.transactionalIdPrefix(
                options.common().kafka(), topic, options.common().source().groupId());
    }

    @Test
    void adviceHasUsualDefaultWindows() throws Exception {
        JoinOptions.Advice advice = QualityJob.OPTIONS.read(config()).own().advice();

        assertThat(advice.profilesPerSecond()).isEqualTo(500);
        assertThat(advice.deadlinesWindow()).isEqualTo(Duration.ofMinutes(10));
        assertThat(advice.deadlinesEvery()).isEqualTo(Duration.ofSeconds(30));
        assertThat(advice.budget()).isEqualTo(Budgets.BudgetWindows.DEFAULT);
        assertThat(advice.completenessEvery()).isEqualTo(Duration.ofSeconds(10));
    }

    /** Fails when an option is added without a line here. */
    @Test
    void everyAdviceOptionIsReadFromItsKey() throws Exception {
        Map<String, String> all = Map.of(
                "deadlines.profiles-per-second", "7",
                "deadlines.window", "60 s",
                "deadlines.every", "20 s",
                "error-budgets.short-window", "2 min",
                "error-budgets.long-window", "10 min",
                "error-budgets.period", "7 d",
                "error-budgets.minimum-samples", "3",
                "completeness.every", "5 s");
        assertThat(all.keySet())
                .isEqualTo(JoinOptions.all().stream()
                        .map(BoundedOption::key)
                        .filter(key -> !key.startsWith("join."))
                        .collect(Collectors.toSet()));
        Configuration config = Configuration.fromMap(all);
        config.addAll(config());

        JoinOptions.Advice advice = QualityJob.OPTIONS.read(config).own().advice();

        assertThat(advice)
                .isEqualTo(new JoinOptions.Advice(
                        7,
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(20),
                        new Budgets.BudgetWindows(120_000, 600_000, 604_800_000, 3),
                        Duration.ofSeconds(5)));
    }

    @Test
    void adviceOverTimesThatDoNotFitIsRefusedWithAllProblems() {
        assertThatThrownBy(() -> QualityJob.OPTIONS.read(config(
                        "deadlines.window",
                        "25 s",
                        "error-budgets.short-window",
                        "90 s",
                        "error-budgets.long-window",
                        "1 min")))
                .hasMessageContaining("deadlines.window is 25 s; allowed: a multiple of deadlines.every")
                .hasMessageContaining("error-budgets.short-window is 90 s; allowed: a multiple of a minute")
                .hasMessageContaining(
                        "error-budgets.long-window is 1 min; allowed: at least error-budgets.short-window");
    }

    /** Fails when an option is added without a line here. */
    @Test
    void everyOptionOfTailsIsReadFromItsKey() throws Exception {
        Map<String, String> all = Map.of(
                "tails.window", "5 s",
                "tails.sliding-window", "60 s",
                "tails.sliding-every", "20 s",
                "tails.objectives", "1s, 20 ms,1s");
        assertThat(all.keySet())
                .isEqualTo(
                        TailWindowOptions.all().stream().map(BoundedOption::key).collect(Collectors.toSet()));
        Configuration config = Configuration.fromMap(all);
        config.addAll(config());

        assertThat(TailsJob.OPTIONS.read(config).own())
                .isEqualTo(new TailsSettings(5_000, 20_000, 60_000, List.of(20_000L, 1_000_000L)));
        assertThat(TailsJob.OPTIONS.read(config()).own().slidingMillis()).isEqualTo(600_000);
        assertThat(TailsJob.OPTIONS.read(config("tails.objectives", "")).own().objectivesMicros())
                .isEmpty();
    }

    /** Fails when an option is added without a line here. */
    @Test
    void everyOptionOfInvalidationIsReadFromItsKey() throws Exception {
        Map<String, String> all = Map.ofEntries(
                Map.entry("invalidation.columns", "3"),
                Map.entry("invalidation.rows", "5"),
                Map.entry("invalidation.replay", "7 s"),
                Map.entry("invalidation.replay-writes", "11"),
                Map.entry("invalidation.slack", "13"),
                Map.entry("invalidation.mode", "SOFT"),
                Map.entry("invalidation.serve-stale", "17 s"),
                Map.entry("invalidation.budget", "19"),
                Map.entry("filter.bits", "64"),
                Map.entry("filter.hashes", "2"),
                Map.entry("filter.batch-delay", "23 ms"));
        assertThat(all.keySet())
                .isEqualTo(
                        MatchingOptions.all().stream().map(BoundedOption::key).collect(Collectors.toSet()));
        Configuration config = Configuration.fromMap(all);
        config.addAll(config());

        assertThat(InvalidationJob.OPTIONS.read(config).own())
                .isEqualTo(new MatchingOptions.Matching(
                        Optional.empty(),
                        new InvalidationSettings(3, 5, 7_000, 11, 13, 17_000, 19, 1),
                        new FilterShape(64, 2),
                        Duration.ofMillis(23)));
        assertThat(InvalidationJob.OPTIONS.read(config()).own().settings().serveStaleMillis())
                .isZero();
    }

    @Test
    void everyOptionOfTtlIsReadFromItsKey() throws Exception {
        Map<String, String> set = new HashMap<>();
        set.put("kafka.bootstrap-servers", "broker:9092");
        set.put("ttl.change-probability", "0.3");
        set.put("ttl.smoothing", "0.9");
        set.put("ttl.shortest", "2 s");
        set.put("ttl.longest", "20 s");
        set.put("ttl.forget-after", "30 s");
        set.put("ttl.write-window", "40 s");
        set.put("ttl.sampled-writes", "0.25");
        set.put("ttl.loss-budget", "0.05");
        set.put("ttl.similarity", "rbo@0.9");
        set.put("ttl.compared-records", "7");
        set.put("caching.window", "5 s");
        set.put("ttl.cache-round-trip", "9 ms");
        set.put("ttl.origin-round-trip", "90 ms");
        set.put("ttl.parallel-fetches", "8");
        set.put("ttl.invalidation-cost", "70 ms");
        set.put("filter.bits", "4096");
        set.put("filter.hashes", "3");
        OptionSet.Valid<TtlEstimateOptions.Estimates> options = TtlJob.OPTIONS.read(Configuration.fromMap(set));
        assertThat(options.own().ttls())
                .isEqualTo(new TtlFlowSettings(
                        new TtlSettings(0.3, 0.9, 2_000, 20_000, 30_000, 0.05),
                        40_000,
                        0.25,
                        "rbo@0.9",
                        7,
                        5_000,
                        new AccessCosts(9, 90, 8, 70)));
        assertThat(options.own().filter()).isEqualTo(new FilterShape(4_096, 3));
        assertThat(options.own().redis()).isEmpty();
        assertThat(TtlJob.OPTIONS.read(config()).own().ttls().comparedRecords())
                .as("nothing is kept where nothing is compared")
                .isZero();
    }

    @Test
    void timesToLiveThatDoNotFitAreRefusedWithAllProblems() {
        assertThatThrownBy(() -> TtlJob.OPTIONS.read(config(
                        "ttl.smoothing", "1.5",
                        "ttl.loss-budget", "0.1",
                        "filter.bits", "12")))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessageContaining("ttl.smoothing is 1.5; allowed: 0.0..1.0")
                .hasMessageContaining("loss budget is 0.1 without a similarity")
                .hasMessageContaining("filter bits are 12; allowed: multiples of 8");
        assertThatThrownBy(() -> TtlJob.OPTIONS.read(config("ttl.similarity", "best@3")))
                .hasMessageContaining("similarity is 'best@3'; allowed: tpr@k");
        assertThatThrownBy(() -> TtlJob.OPTIONS.read(config("ttl.origin-round-trip", "3 ms")))
                .hasMessageContaining("originMillis 3.0");
        assertThatThrownBy(() -> TtlJob.OPTIONS.read(config(
                        "ttl.shortest", "1 h",
                        "ttl.longest", "1 s")))
                .hasMessageContaining("times to live are 3600000..1000 ms");
    }

    @Test
    void windowsOfTailsThatDoNotFitAreRefusedWithAllProblems() {
        assertThatThrownBy(() -> TailsJob.OPTIONS.read(config(
                        "tails.window", "7 s",
                        "tails.sliding-every", "20 s",
                        "tails.objectives", "10ms,soon")))
                .hasMessageContaining("tails.sliding-every is 20 s; allowed: a multiple of tails.window")
                .hasMessageContaining("tails.objectives has 'soon'");
        assertThatThrownBy(() -> TailsJob.OPTIONS.read(config(
                        "tails.sliding-every", "10 s",
                        "tails.sliding-window", "1 h")))
                .hasMessageContaining("allowed: 1..60 steps");
    }

    /** Fails when an option is added without a line here. */
    @Test
    void everyOptionIsReadFromItsKey(@TempDir Path directory) throws Exception {
        Path password = Files.writeString(directory.resolve("password"), "secret\n");
        Map<String, String> all = Map.ofEntries(
                Map.entry("kafka.bootstrap-servers", "a:1,b:2"),
                Map.entry("kafka.topic-prefix", "site."),
                Map.entry("source.group-id", "mine"),
                Map.entry("source.out-of-orderness", "2 s"),
                Map.entry("source.idleness", "3 s"),
                Map.entry("source.future-tolerance", "4 s"),
                Map.entry("source.bounded", "true"),
                Map.entry("sink.guarantee", "EXACTLY_ONCE"),
                Map.entry("startup.broker-away", "EXIT"),
                Map.entry("startup.topic-replication", "3"),
                Map.entry("redis.host", "store"),
                Map.entry("redis.port", "7000"),
                Map.entry("redis.user", "kipimo"),
                Map.entry("redis.password-file", password.toString()),
                Map.entry("redis.tls", "true"));
        Set<String> keys =
                AdmissionJob.OPTIONS.options().stream().map(BoundedOption::key).collect(Collectors.toSet());
        assertThat(all.keySet()).isEqualTo(keys);

        OptionSet.Valid<Optional<RedisSettings>> options = AdmissionJob.OPTIONS.read(Configuration.fromMap(all));

        assertThat(options.common().kafka().bootstrapServers()).isEqualTo("a:1,b:2");
        assertThat(options.common().kafka().topicPrefix()).isEqualTo("site.");
        assertThat(options.common().source().groupId()).isEqualTo("mine-admission");
        assertThat(options.common().source().outOfOrderness()).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.common().source().idleness()).isEqualTo(Duration.ofSeconds(3));
        assertThat(options.common().source().futureTolerance()).isEqualTo(Duration.ofSeconds(4));
        assertThat(options.common().source().bounded()).isTrue();
        assertThat(options.common().guarantee()).isEqualTo(DeliveryGuarantee.EXACTLY_ONCE);
        assertThat(options.common().brokerAway()).isEqualTo(BrokerAway.EXIT);
        assertThat(options.common().topicReplication()).isEqualTo((short) 3);
        assertThat(options.own()).isPresent();
        assertThat(options.own().get().host()).isEqualTo("store");
        assertThat(options.own().get().port()).isEqualTo(7000);
        assertThat(options.toString()).doesNotContain("secret");
    }

    @Test
    void allProblemsAreReportedTogetherWithKeyValueAndWhatIsAllowed() {
        assertThatThrownBy(() -> AdmissionJob.OPTIONS.read(config(
                        "kafka.bootstrap-servers",
                        "no port",
                        "source.idleness",
                        "2 d",
                        "sink.guarantee",
                        "MAYBE",
                        "redis.port",
                        "70000",
                        "source.idlenes",
                        "1 s")))
                .isInstanceOfSatisfying(InvalidOptionsException.class, e -> assertThat(e.problems())
                        .hasSize(5)
                        .anyMatch(p -> p.contains("no port") && p.contains("HOST:PORT"))
                        .anyMatch(p -> p.contains("source.idleness is") && p.contains("100 ms..1 h"))
                        .anyMatch(p -> p.contains("sink.guarantee") && p.contains("EXACTLY_ONCE"))
                        .anyMatch(p -> p.contains("redis.port is 70000") && p.contains("65535"))
                        .anyMatch(p -> p.contains("source.idlenes is not an option")));
    }

    @Test
    void withoutBrokersThereIsOneProblem() {
        assertThatThrownBy(() -> QualityJob.OPTIONS.read(new Configuration()))
                .hasMessage("kafka.bootstrap-servers is not set; allowed: HOST:PORT[,HOST:PORT…]");
    }

    @Test
    void clientPropertiesPassByTheAllowListOnly() throws Exception {
        assertThat(QualityJob.OPTIONS
                        .read(config("kafka.properties.security.protocol", "SSL"))
                        .common()
                        .kafka()
                        .properties())
                .containsEntry("security.protocol", "SSL");
        assertThatThrownBy(() -> QualityJob.OPTIONS.read(config("kafka.properties.interceptor.classes", "evil.Class")))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessageContaining("interceptor.classes");
    }

    /** Flink shows and logs a job's options. */
    @Test
    void secretsInOptionsAreRefusedAndNotQuoted() throws Exception {
        assertThatThrownBy(() -> QualityJob.OPTIONS.read(config(
                        "kafka.properties.ssl.key.password",
                        "open sesame",
                        "kafka.properties.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain"
                                + ".PlainLoginModule required password=\"open sesame\";")))
                .isInstanceOfSatisfying(InvalidOptionsException.class, e -> assertThat(e.problems())
                        .hasSize(2)
                        .allMatch(p -> p.contains(".file or "))
                        .noneMatch(p -> p.contains("sesame")));
        assertThat(QualityJob.OPTIONS
                        .read(config("kafka.properties.ssl.key.password.file", "/run/secrets/key"))
                        .common()
                        .kafka()
                        .properties())
                .containsKey("ssl.key.password.file");
    }

    @Test
    void flinksOwnOptionsPass() throws Exception {
        assertThat(QualityJob.OPTIONS.read(config("parallelism.default", "4"))).isNotNull();
    }
}
