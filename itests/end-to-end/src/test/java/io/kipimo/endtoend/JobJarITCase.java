package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.jobs.submission.SubmissionMain;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.apache.flink.client.program.PackagedProgram;
import org.apache.flink.client.program.PackagedProgramUtils;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

/** The jar for clusters. */
class JobJarITCase {
    /** Flink's own classes must come from the cluster, which has no connectors. */
    private static final List<String> CONNECTORS = List.of(
            "org/apache/flink/connector/base/",
            "org/apache/flink/connector/kafka/",
            "org/apache/flink/streaming/connectors/kafka/",
            // One class of the Kafka connector is present.
            "org/apache/flink/streaming/util/serialization/JSON");

    /** Flink always loads these from its own class path. */
    private static final List<String> THE_CLUSTERS = List.of(
            "org/slf4j/",
            "org/apache/log4j/",
            "org/apache/logging/",
            "org/rocksdb/",
            "com/esotericsoftware/",
            "scala/",
            "javax/annotation/");

    @Test
    void holdsNothingThatFlinkProvides() throws Exception {
        try (JarFile jar = new JarFile(SubmitITCase.jobJar().toFile())) {
            List<String> classes = jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .toList();

            assertThat(classes)
                    .filteredOn(name -> name.startsWith("org/apache/flink/"))
                    .allMatch(name -> CONNECTORS.stream().anyMatch(name::startsWith));
            assertThat(classes)
                    .noneMatch(name -> THE_CLUSTERS.stream().anyMatch(name::startsWith))
                    .noneMatch(name -> name.startsWith("org/junit/"))
                    .contains(
                            "org/apache/kafka/clients/consumer/KafkaConsumer.class",
                            "redis/clients/jedis/UnifiedJedis.class",
                            "org/apache/flink/connector/kafka/source/KafkaSource.class",
                            "io/kipimo/jobs/quality/QualityJob.class");
        }
    }

    @Test
    void itsMainClassRunsOnALoaderThatAsksTheJarFirst() throws Exception {
        try (PackagedProgram program = PackagedProgram.newBuilder()
                .setJarFile(SubmitITCase.jobJar().toFile())
                .setArguments("quality", "-Dkafka.bootstrap-servers=nowhere")
                .build()) {
            assertThat(program.getMainClassName()).isEqualTo(SubmissionMain.class.getName());
            Class<?> main = program.getUserCodeClassLoader().loadClass(program.getMainClassName());
            assertThat(main).isNotEqualTo(SubmissionMain.class);

            // Run it in another thread: an exception would end Surefire's main thread.
            Throwable[] thrown = new Throwable[1];
            Thread guest = new Thread(() -> {
                try {
                    PackagedProgramUtils.createJobGraph(program, new Configuration(), 1, true);
                } catch (Throwable e) {
                    thrown[0] = e;
                }
            });
            guest.start();
            guest.join();
            assertThatThrownBy(() -> {
                        throw thrown[0];
                    })
                    .rootCause()
                    .hasMessageContaining("kafka.bootstrap-servers is nowhere; allowed: HOST:PORT");
        }
    }
}
