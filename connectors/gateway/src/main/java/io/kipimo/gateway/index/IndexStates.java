package io.kipimo.gateway.index;

import io.kipimo.gateway.config.IndexConfig;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Facts about the indexes that a listener's queries ask. An index is read when it is asked for the first time, and then
 * once a minute as long as queries ask it. Facts that are older than three minutes count as unknown. Thread-safe.
 */
public final class IndexStates {
    /** Greatest number of indexes that are tracked at a time. Nothing is known of further indexes. */
    static final int MOST_INDEXES = 1_000;

    static final int MOST_READS = 4;
    static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);
    static final long OLD_NANOS = 3 * INTERVAL_NANOS;
    static final long FORGOTTEN_NANOS = 10 * INTERVAL_NANOS;

    private static final IndexFacts NOT_READ = IndexFacts.unknown("has not been read yet");
    private static final IndexFacts TOO_MANY = IndexFacts.unknown("is not read: too many indexes");
    private static final IndexFacts OLD = IndexFacts.unknown("could not be read for minutes");

    private final IndexConfig config;
    private final Map<String, IndexState> states = new HashMap<>();
    private int reading;

    /**
     * A read that is due.
     *
     * @param target path and query
     * @param headers of the newest query that asked the index, since they may identify the query's caller
     */
    public record DueRead(String target, MultiMap headers) {}

    private static final class IndexState {
        IndexFacts facts = NOT_READ;
        long askedNanos;
        long readNanos;
        long triedNanos;
        boolean wasTried;
        boolean isReading;
        MultiMap headers;
    }

    public IndexStates(IndexConfig config) {
        this.config = config;
    }

    /**
     * Facts about the index that a query asks. From now on, the index is read.
     *
     * @param target of the query
     * @param headers headers that identify the query's caller
     */
    public synchronized IndexFacts asked(String target, MultiMap headers, long nowNanos) {
        Optional<String> read = config.readFor(target);
        if (read.isEmpty()) {
            return IndexFacts.unknown("is not named by the query's path");
        }
        IndexState state = states.get(read.get());
        if (state == null) {
            if (states.size() >= MOST_INDEXES) {
                return TOO_MANY;
            }
            state = new IndexState();
            states.put(read.get(), state);
        }
        state.askedNanos = nowNanos;
        state.headers = headers;
        return state.facts.isKnown() && nowNanos - state.readNanos > OLD_NANOS ? OLD : state.facts;
    }

    /** Takes the reads that must begin now. Forgets indexes that no query has asked for ten minutes. */
    public synchronized List<DueRead> due(long nowNanos) {
        states.values().removeIf(state -> !state.isReading && nowNanos - state.askedNanos > FORGOTTEN_NANOS);
        List<DueRead> due = new ArrayList<>();
        for (Map.Entry<String, IndexState> one : states.entrySet()) {
            IndexState state = one.getValue();
            boolean isDue = !state.wasTried || nowNanos - state.triedNanos >= INTERVAL_NANOS;
            if (isDue && !state.isReading && reading < MOST_READS) {
                reading++;
                state.isReading = true;
                state.wasTried = true;
                state.triedNanos = nowNanos;
                due.add(new DueRead(one.getKey(), state.headers));
            }
        }
        return due;
    }

    /** Takes the result of a read. If the read failed, facts that are known stay. */
    public synchronized void came(DueRead read, IndexFacts facts, long nowNanos) {
        reading--;
        IndexState state = states.get(read.target());
        state.isReading = false;
        if (facts.isKnown()) {
            state.facts = facts;
            state.readNanos = nowNanos;
        } else if (!state.facts.isKnown()) {
            state.facts = facts;
        }
    }

    public IndexConfig config() {
        return config;
    }

    /** Number of tracked indexes that are known at this time; with {@code known} false, of those that are not. */
    public synchronized long count(boolean known, long nowNanos) {
        return states.values().stream()
                .filter(s -> (s.facts.isKnown() && nowNanos - s.readNanos <= OLD_NANOS) == known)
                .count();
    }
}
