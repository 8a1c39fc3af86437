package io.kipimo.duplicates;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * A write to one key.
 *
 * @param key 1..{@value #MOST_KEY} characters
 * @param value empty in a deletion
 */
record KeyWrite(KeyWriteKind kind, String key, byte[] value) {
    static final int MOST_KEY = 1_024;
    private static final String HEADER = "kipimo-write";

    /** Kind of a write. */
    enum KeyWriteKind {
        /** Sets the value, whether or not the key exists. */
        PUT,
        /** Sets the value if the key does not exist. */
        CREATE,
        /** Deletes the key if it exists. */
        DELETE;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    KeyWrite {
        if (key.isEmpty() || key.length() > MOST_KEY) {
            throw new IllegalArgumentException("key has " + key.length() + " characters; allowed: 1.." + MOST_KEY);
        }
    }

    static KeyWrite put(String key, byte[] value) {
        return new KeyWrite(KeyWriteKind.PUT, key, value);
    }

    static KeyWrite create(String key, byte[] value) {
        return new KeyWrite(KeyWriteKind.CREATE, key, value);
    }

    static KeyWrite delete(String key) {
        return new KeyWrite(KeyWriteKind.DELETE, key, new byte[0]);
    }

    /** The record in the log. Its key and value are those of the write; a header has the kind. */
    ProducerRecord<byte[], byte[]> record(String topic) {
        return new ProducerRecord<>(
                topic,
                OrderedLog.PARTITION,
                key.getBytes(StandardCharsets.UTF_8),
                kind == KeyWriteKind.DELETE ? null : value,
                List.of(new RecordHeader(HEADER, kind.label().getBytes(StandardCharsets.US_ASCII))));
    }

    /** Parses a record of the log; empty: it is not a write, and all duplicates skip it. */
    static Optional<KeyWrite> of(ConsumerRecord<byte[], byte[]> entry) {
        Header header = entry.headers().lastHeader(HEADER);
        if (header == null || header.value() == null || entry.key() == null) {
            return Optional.empty();
        }
        String word = new String(header.value(), StandardCharsets.US_ASCII);
        String key = new String(entry.key(), StandardCharsets.UTF_8);
        boolean hasValue = entry.value() != null;
        return Arrays.stream(KeyWriteKind.values())
                .filter(kind -> kind.label().equals(word) && hasValue == (kind != KeyWriteKind.DELETE))
                .filter(kind -> !key.isEmpty() && key.length() <= MOST_KEY)
                .findFirst()
                .map(kind -> new KeyWrite(kind, key, hasValue ? entry.value() : new byte[0]));
    }
}
