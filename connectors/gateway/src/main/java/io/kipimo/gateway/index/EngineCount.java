package io.kipimo.gateway.index;

import io.kipimo.gateway.config.CounterConfig;
import java.util.regex.Matcher;

/**
 * Compares an engine's own count of queries with the number of queries that a gateway sent to it. The count is read
 * regularly. An interval between two reads counts on neither side if one of them failed or the engine restarted.
 * Thread-safe.
 */
public final class EngineCount {
    private final CounterConfig config;
    private boolean hasLast;
    private double lastCounted;
    private long lastSent;
    private double counted;
    private long sent;

    public EngineCount(CounterConfig config) {
        this.config = config;
    }

    public CounterConfig config() {
        return config;
    }

    /** The sum of the counters in an answer of the engine's API; NaN: there is none. */
    public double in(String answer) {
        Matcher numbers = config.count().matcher(answer);
        double sum = Double.NaN;
        while (numbers.find()) {
            sum = (Double.isNaN(sum) ? 0 : sum) + Double.parseDouble(numbers.group(1));
        }
        return sum;
    }

    /**
     * Takes a reading of the engine's count.
     *
     * @param engine count since its start; NaN: it could not be read
     * @param gateway queries that the gateway has sent
     */
    public synchronized void read(double engine, long gateway) {
        if (hasLast && engine >= lastCounted) {
            counted += engine - lastCounted;
            sent += gateway - lastSent;
        }
        hasLast = !Double.isNaN(engine);
        lastCounted = engine;
        lastSent = gateway;
    }

    /** Queries that the engine counted since the first read. */
    public synchronized double counted() {
        return counted;
    }

    /** Queries that this gateway sent in the time of {@link #counted}. */
    public synchronized long sent() {
        return sent;
    }
}
