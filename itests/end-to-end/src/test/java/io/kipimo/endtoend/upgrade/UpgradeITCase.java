package io.kipimo.endtoend.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.endtoend.ShopPolicy;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.schemas.wire.PolicyProto;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every job of this version resumes where the last job of each released version stopped: from its savepoint and its
 * log, both kept in {@code src/test/resources/savepoints}. From then on, its input comes from newer services.
 *
 * <p>{@code -Dgolden.write=true} adds missing savepoints of this version; it never changes an existing one. Before this
 * version is released, savepoints that a change makes useless are deleted and written again.
 */
@WithBackends
class UpgradeITCase {
    private static final Path GOLDEN = Path.of("src/test/resources/savepoints");
    private static final String LOG = "log.bin";

    @TempDir
    private static Path scratch;

    private static String bootstrapServers;
    private static FlinkCluster cluster;
    private static final Map<UpgradeScenario, Path> writtenNow = new LinkedHashMap<>();

    private static final Map<Stopped, Future<JobID>> goneOn = new LinkedHashMap<>();

    /** A stopped job of some version. */
    record Stopped(String version, UpgradeScenario scenario) {
        Path directory() {
            return GOLDEN.resolve(version).resolve(scenario.job().jobName());
        }

        @Override
        public String toString() {
            return version + " " + scenario.job().jobName();
        }
    }

    @BeforeAll
    static void stopAll(Backends backends, FlinkCluster shared) throws Exception {
        bootstrapServers = backends.bootstrapServers();
        cluster = shared;
        // Before the jobs start, and one after the other: a busy broker has no leader for hundreds of topics in time.
        for (Stopped stopped : stopped().toList()) {
            RecordedLog.createTopics(settings(bootstrapServers, stopped.version(), stopped.scenario()));
        }
        try (EmbeddedKafka first = EmbeddedKafka.start()) {
            for (UpgradeScenario scenario : UpgradeScenario.ALL) {
                RecordedLog.createTopics(settings(first.bootstrapServers(), version(), scenario));
            }
            for (Map.Entry<UpgradeScenario, Future<Path>> written : atOnce(
                            UpgradeScenario.ALL, scenario -> stop(first, scenario))
                    .entrySet()) {
                writtenNow.put(written.getKey(), written.getValue().get());
            }
        }
        if (Boolean.getBoolean("golden.write")) {
            keep();
        }
        goneOn.putAll(atOnce(stopped().toList(), UpgradeITCase::goOn));
    }

    static Stream<Stopped> stopped() throws IOException {
        try (Stream<Path> versions = Files.list(GOLDEN)) {
            return versions
                    .map(v -> v.getFileName().toString())
                    .sorted()
                    .flatMap(v -> UpgradeScenario.ALL.stream().map(s -> new Stopped(v, s)))
                    .filter(s -> Files.isDirectory(s.directory()))
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("stopped")
    void goesOnWhereAnEarlierVersionStopped(Stopped stopped) throws Exception {
        assertThat(goneOn.get(stopped).get()).as("job").isNotNull();
    }

    private static JobID goOn(Stopped stopped) throws Exception {
        KafkaSettings settings = settings(bootstrapServers, stopped.version(), stopped.scenario());
        RecordedLog log = RecordedLog.read(stopped.directory().resolve(LOG));
        log.replay(settings);
        try (JobRun run = new JobRun(settings, log, true)) {
            JobID job = run.start(
                    cluster,
                    stopped.scenario().job(),
                    stopped.scenario().options(),
                    Optional.of(stopped.directory().toAbsolutePath()));
            stopped.scenario().goOn(run);

            assertThat(run.said(Topic.DEAD_LETTERS, Codecs.DEAD_LETTER)).isEmpty();
            assertThat(cluster.restarts(job)).isZero();
            return job;
        }
    }

    /** No state may be lost silently: Flink ignores unknown states. */
    @ParameterizedTest
    @MethodSource("stopped")
    void noStateOfAnEarlierVersionIsGoneOrOfAnotherKind(Stopped stopped) throws Exception {
        assertThat(SavepointStates.of(writtenNow.get(stopped.scenario())))
                .as("states of this version")
                .containsAll(SavepointStates.of(stopped.directory()));
    }

    @Test
    void everyJobOfThisVersionHasItsSavepoint() throws Exception {
        assertThat(UpgradeScenario.ALL.stream().map(UpgradeScenario::job))
                .containsExactlyInAnyOrder(KipimoJob.values());
        assertThat(stopped().filter(s -> s.version().equals(version())).map(Stopped::scenario))
                .as("missing ones are written with -Dgolden.write=true")
                .containsExactlyInAnyOrderElementsOf(UpgradeScenario.ALL);
    }

    /** A change by an older console or command line during an upgrade. */
    @Test
    void aPersonsChangeKeepsWhatANewerVersionPutIntoThePolicy() throws Exception {
        KafkaSettings settings = new KafkaSettings(bootstrapServers, "upgrade-policy.", Map.of());
        RecordedLog.createTopics(settings);
        Policy policy = ShopPolicy.of();
        try (JobRun newer = new JobRun(settings, new RecordedLog(0, List.of()), true)) {
            newer.send(Topic.POLICIES, policy.service(), Codecs.POLICY, policy);
        }
        PolicyStore.change(settings, policy.service(), p -> p.orElseThrow().withKillSwitch(true));

        List<RecordedLog.Entry> log = RecordedLog.of(settings, 0).entries();
        assertThat(log).hasSize(2);
        PolicyProto before = PolicyProto.parseFrom(log.get(0).value());
        PolicyProto after = PolicyProto.parseFrom(log.get(1).value());
        assertThat(before.getUnknownFields().asMap()).isNotEmpty();
        assertThat(after.getUnknownFields()).isEqualTo(before.getUnknownFields());
        assertThat(after.getKillSwitch()).isTrue();
    }

    /** Brings a job of this version to its stopping point, and stops it. */
    private static Path stop(EmbeddedKafka broker, UpgradeScenario scenario) throws Exception {
        long minute = TimeUnit.MINUTES.toMillis(1);
        long start = System.currentTimeMillis() / minute * minute - 60 * minute;
        KafkaSettings settings = settings(broker.bootstrapServers(), version(), scenario);
        try (JobRun run = new JobRun(settings, new RecordedLog(start, List.of()), false)) {
            scenario.policy().ifPresent(run::send);
            JobID job = run.start(cluster, scenario.job(), scenario.options(), Optional.empty());
            scenario.begin(run);
            Path savepoint = Path.of(URI.create(cluster.stopWithSavepoint(job, scratch)));
            run.recorded().write(savepoint.resolve(LOG));
            return savepoint;
        }
    }

    private interface Work<T, R> {
        R of(T each) throws Exception;
    }

    /** Runs all in parallel, since the work is mostly waiting. Returns when all have ended. */
    private static <T, R> Map<T, Future<R>> atOnce(List<T> all, Work<T, R> work) throws InterruptedException {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<R>> ended = threads.invokeAll(
                    all.stream().<Callable<R>>map(each -> () -> work.of(each)).toList());
            Map<T, Future<R>> results = new LinkedHashMap<>();
            for (int i = 0; i < ended.size(); i++) {
                results.put(all.get(i), ended.get(i));
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    private static void keep() throws IOException {
        for (UpgradeScenario scenario : UpgradeScenario.ALL) {
            Path directory = new Stopped(version(), scenario).directory();
            if (Files.notExists(directory)) {
                Files.createDirectories(directory);
                try (Stream<Path> files = Files.list(writtenNow.get(scenario))) {
                    for (Path file : files.toList()) {
                        Files.copy(file, directory.resolve(file.getFileName().toString()));
                    }
                }
            }
        }
    }

    /** The savepoint contains the topics by name, so the prefix must be the same. */
    private static KafkaSettings settings(String bootstrapServers, String version, UpgradeScenario scenario) {
        return new KafkaSettings(
                bootstrapServers, "upgrade-" + version + '-' + scenario.job().jobName() + '.', Map.of());
    }

    /** Version of this module's parent, without the snapshot suffix. */
    private static String version() {
        try {
            Matcher parent = Pattern.compile("<version>(.+?)(-SNAPSHOT)?</version>")
                    .matcher(Files.readString(Path.of("pom.xml")));
            assertThat(parent.find()).isTrue();
            return parent.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
