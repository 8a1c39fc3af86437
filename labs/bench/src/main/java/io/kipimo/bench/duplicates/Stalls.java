package io.kipimo.bench.duplicates;

import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Pauses a Redis at random times, like a neighbour on the machine, a disk or a fork would. Redis instances stall
 * independently. Gaps and stalls are exponential.
 */
final class Stalls implements AutoCloseable {
    static final double MEAN_GAP_MILLIS = 170;
    static final double MEAN_STALL_MILLIS = 30;

    private final Connection redis;
    private final Random random;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "bench-stalls");

    Stalls(String host, int port, long seed) {
        redis = new Connection(host, port);
        random = new Random(seed);
        thread.setDaemon(true);
        thread.start();
    }

    private double exponential(double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    private void run() {
        try {
            while (!closed.await(Math.round(exponential(MEAN_GAP_MILLIS)), TimeUnit.MILLISECONDS)) {
                long millis = Math.max(1, Math.round(exponential(MEAN_STALL_MILLIS)));
                var unused = redis.executeCommand(
                        new CommandArguments(Command.CLIENT).add("PAUSE").add(millis));
                if (closed.await(millis, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (JedisException e) {
            if (closed.getCount() > 0) {
                throw e;
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed.countDown();
        thread.join();
        redis.close();
    }
}
