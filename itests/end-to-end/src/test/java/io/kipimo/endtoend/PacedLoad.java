package io.kipimo.endtoend;

import io.kipimo.harness.oracle.LogRecord;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes records to the log in order and at a steady rate, from a thread of its own. */
final class PacedLoad implements AutoCloseable {
    private static final long PATIENCE_MILLIS = 180_000;

    private final String topicPrefix;
    private final List<LogRecord> records;
    private final int partitions;
    private final double perSecond;
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicReference<Exception> fault = new AtomicReference<>();
    private final Thread thread = new Thread(this::run, "load");
    private volatile long newestMillis = Long.MIN_VALUE;
    private volatile int sent;
    private volatile boolean allPartitions;

    private PacedLoad(KafkaSettings kafka, List<LogRecord> records, int partitions, double perSecond) {
        this.partitions = partitions;
        this.topicPrefix = kafka.topicPrefix();
        this.records = records;
        this.perSecond = perSecond;
        Map<String, Object> properties = kafka.forProducer();
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        // The tests include brokers that are down for a minute.
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MILLIS);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) PATIENCE_MILLIS);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 64 << 20);
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 128L << 20);
        producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * @param partitions current number of partitions of the topics
     * @param perSecond records a second; {@link Double#POSITIVE_INFINITY}: at full speed
     */
    static PacedLoad start(KafkaSettings kafka, List<LogRecord> records, int partitions, double perSecond) {
        PacedLoad load = new PacedLoad(kafka, records, partitions, perSecond);
        load.thread.start();
        return load;
    }

    /** Whether at least this share of the records, 0..1, has not been sent yet. */
    boolean hasLeft(double share) {
        return thread.isAlive() && records.size() - sent > share * records.size();
    }

    /** From now on, sends records to their own partitions. Before, only to the partitions that existed at the start. */
    void useAllPartitions() {
        allPartitions = true;
    }

    /** Greatest event time of the records sent so far. */
    long newestMillis() {
        return newestMillis;
    }

    /** Waits until all records are in the log; fails if any record could not be written. */
    @Override
    public void close() throws Exception {
        thread.join();
        producer.close();
        if (fault.get() != null) {
            throw new IllegalStateException("the load could not be written", fault.get());
        }
    }

    private void run() {
        long start = System.nanoTime();
        try {
            for (int i = 0; i < records.size(); i++) {
                LogRecord record = records.get(i);
                long due = start + (long) (i / perSecond * TimeUnit.SECONDS.toNanos(1));
                long wait = due - System.nanoTime();
                if (wait > TimeUnit.MILLISECONDS.toNanos(1)) {
                    TimeUnit.NANOSECONDS.sleep(wait);
                }
                newestMillis = Math.max(newestMillis, record.timestampMillis());
                var unused = producer.send(
                        (allPartitions ? record : record.among(partitions)).toKafka(topicPrefix), (written, e) -> {
                            if (e != null) {
                                fault.compareAndSet(null, e);
                            }
                        });
                sent = i + 1;
            }
            producer.flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            fault.compareAndSet(null, e);
        }
    }
}
