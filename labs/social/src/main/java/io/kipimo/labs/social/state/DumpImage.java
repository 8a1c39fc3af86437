package io.kipimo.labs.social.state;

import io.kipimo.labs.social.store.RedisSocialStore;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.params.RestoreParams;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/**
 * An image of a Redis whose process and files are not accessible. It saves the DUMP of every key in a local file, and
 * restores the keys by RESTORE. So Redis copies its structures instead of building them.
 */
final class DumpImage implements StateStrategy {
    private static final int AT_ONCE = 2_000;
    private static final ScanParams PAGE = new ScanParams().count(AT_ONCE);
    // SCAN may return a key twice while the table is resized.
    private static final RestoreParams REPLACE = RestoreParams.restoreParams().replace();

    private final RedisSocialStore store;
    private Path image;

    DumpImage(RedisSocialStore store) {
        this.store = store;
    }

    @Override
    public void loaded() {
        try {
            if (image == null) {
                image = Files.createTempFile("kipimo-social-", ".dump");
            }
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(image)));
                    Jedis redis = store.address().connection()) {
                byte[] cursor = ScanParams.SCAN_POINTER_START_BINARY;
                ScanResult<byte[]> page;
                do {
                    page = redis.scan(cursor, PAGE);
                    dump(redis, page.getResult(), out);
                    cursor = page.getCursorAsBytes();
                } while (!page.isCompleteIteration());
                out.writeInt(-1);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void dump(Jedis redis, List<byte[]> keys, DataOutputStream out) throws IOException {
        List<Response<byte[]>> values = new ArrayList<>(keys.size());
        try (Pipeline pipeline = redis.pipelined()) {
            keys.forEach(key -> values.add(pipeline.dump(key)));
        }
        for (int i = 0; i < keys.size(); i++) {
            write(out, keys.get(i));
            write(out, values.get(i).get());
        }
    }

    @Override
    public void restore(WriteLog log) {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(image)));
                Jedis redis = store.address().connection()) {
            redis.flushDB();
            try (Pipeline pipeline = redis.pipelined()) {
                int waiting = 0;
                List<Response<String>> answers = new ArrayList<>();
                for (int length = in.readInt(); length >= 0; length = in.readInt()) {
                    byte[] key = in.readNBytes(length);
                    byte[] value = in.readNBytes(in.readInt());
                    answers.add(pipeline.restore(key, 0, value, REPLACE));
                    if (++waiting == AT_ONCE) {
                        send(pipeline, answers);
                        waiting = 0;
                    }
                }
                send(pipeline, answers);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends the waiting commands, and throws an error of the server. */
    private static void send(Pipeline pipeline, List<Response<String>> answers) {
        pipeline.sync();
        answers.forEach(Response::get);
        answers.clear();
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public void close() {
        try {
            if (image != null) {
                Files.deleteIfExists(image);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
