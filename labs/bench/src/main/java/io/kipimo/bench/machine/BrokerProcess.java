package io.kipimo.bench.machine;

import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.embedded.process.ScratchDirectory;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A Kafka broker in a JVM of its own; its data is deleted with it. */
public final class BrokerProcess implements AutoCloseable {
    private static final String SERVES = "broker serves at ";
    private static final Pattern ADDRESS = Pattern.compile(SERVES + "(\\S+)");

    private final ScratchDirectory scratch = ScratchDirectory.create("bench-broker");
    private final ChildProcess process;
    private final String address;

    private BrokerProcess() {
        // Its data is in its temporary directory, so that it is deleted even after a kill.
        process = ChildProcess.start(
                BrokerMain.class,
                List.of("-Xmx1g", "-XX:+UseG1GC", "-Djava.io.tmpdir=" + scratch.directory("data")),
                List.of(),
                scratch.path().resolve("broker.log"));
        try {
            address = ChildOutput.await(process, ADDRESS);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Starts an empty broker. Returns when it accepts requests. */
    public static BrokerProcess start() {
        return new BrokerProcess();
    }

    /** Settings for clients. */
    public KafkaSettings settings(String topicPrefix) {
        return new KafkaSettings(address, topicPrefix, Map.of());
    }

    /** Processor time of the broker since its start, microseconds. */
    public long cpuMicros() {
        return ProcessHandle.of(process.pid())
                        .flatMap(broker -> broker.info().totalCpuDuration())
                        .orElse(Duration.ZERO)
                        .toNanos()
                / 1000;
    }

    @Override
    public void close() {
        process.kill();
        scratch.close();
    }

    /** Main method of the broker's JVM. */
    public static final class BrokerMain {
        private BrokerMain() {}

        public static void main(String[] args) throws InterruptedException {
            EmbeddedKafka kafka = EmbeddedKafka.start();
            System.out.println(SERVES + kafka.bootstrapServers());
            Thread.currentThread().join();
        }
    }
}
