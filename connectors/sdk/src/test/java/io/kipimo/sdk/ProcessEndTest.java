package io.kipimo.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.codec.Codecs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a process that ends without closing still sends, in processes of their own. */
class ProcessEndTest {
    private static final int EVENTS = 500;

    /** A producer that takes a moment for each event, and says at the end how many it has sent. */
    static final class SlowProducer extends MockProducer<byte[], byte[]> {
        SlowProducer() {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> sent, Callback callback) {
            try {
                TimeUnit.MILLISECONDS.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Future<RecordMetadata> done = super.send(sent, callback);
            System.out.println("sent " + history().size());
            return done;
        }
    }

    /** The process: emits, says so, then ends as it is told. */
    public static void main(String[] how) throws Exception {
        Outbox outbox = new Outbox(EVENTS, SlowProducer::new, Duration.ofSeconds(30));
        EmissionCounts tally = new EmissionCounts();
        for (int i = 0; i < EVENTS; i++) {
            outbox.offer(new Outbox.QueuedEvent<>(
                    "kipimo.answers", "q", SampleService.NOW, Codecs.ANSWER, SampleService.answer("q" + i), tally));
        }
        System.out.println("emitted");
        if (how[0].equals("sigterm")) {
            new CompletableFuture<>().get();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"return", "sigterm"})
    void nothingIsLost(String how) throws Exception {
        assertThat(sentBy(how)).isEqualTo(EVENTS);
    }

    private static long sentBy(String how) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ProcessEndTest.class.getName(),
                        how)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("JAVA_TOOL_OPTIONS", System.getProperty("kipimo.child.jvm", ""));
        Process process = builder.start();
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            long sent = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals("emitted") && how.equals("sigterm")) {
                    process.toHandle().destroy();
                } else if (line.startsWith("sent ")) {
                    sent++;
                }
            }
            process.waitFor();
            return sent;
        }
    }
}
