package io.kipimo.core.stale;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Checks what reads returned against what their levels promise. Versions of a key are 0, 1, 2 and so on; every read of
 * a version may have seen all that was committed before it. Times are of one clock, in any unit. Thread-safe; a
 * session's own operations are one after the other.
 */
public final class ReadHistory {
    private static final class Key {
        /** When each version was committed; version 0 always was. */
        final NavigableMap<Long, Long> committed = new TreeMap<>();

        /** When each version's change was marked in the filter. */
        final Map<Long, Long> marked = new HashMap<>();

        /** The newest version committed before a time. */
        long at(long time) {
            long newest = 0;
            for (Map.Entry<Long, Long> version : committed.entrySet()) {
                newest = version.getValue() < time ? version.getKey() : newest;
            }
            return newest;
        }
    }

    private static final class Session {
        final Map<String, Long> read = new HashMap<>();
        final Map<String, Long> written = new HashMap<>();
        long newestCommit = Long.MIN_VALUE;
    }

    private final long delta;
    private final Map<String, Key> keys = new HashMap<>();
    private final Map<String, Session> sessions = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final AtomicLong reads = new AtomicLong();

    public ReadHistory(long delta) {
        this.delta = delta;
    }

    /** A version that replaced the one before it. */
    public synchronized void committed(String key, long version, long time) {
        key(key).committed.put(version, time);
    }

    /** The filter has the change to a version from now on. */
    public synchronized void marked(String key, long version, long time) {
        key(key).marked.putIfAbsent(version, time);
    }

    /** A session's own write was acknowledged. */
    public synchronized void wrote(String session, String key, long version) {
        session(session).written.merge(key, version, Math::max);
    }

    /** A read that ended, before the session's next operation. */
    public synchronized void read(String session, Consistency level, String key, long version, long begin) {
        reads.incrementAndGet();
        Session own = session(session);
        Key content = key(key);
        long least = 0;
        for (Map.Entry<Long, Long> mark : content.marked.entrySet()) {
            if (mark.getValue() < begin - delta) {
                least = Math.max(least, mark.getKey());
            }
        }
        expect("staler than Delta", version, least, level, key);
        switch (level) {
            case DELTA -> {}
            case MONOTONIC_READS -> expectMonotonic(own, version, level, key);
            case READ_YOUR_WRITES -> expectOwn(own, version, level, key);
            case SESSION -> {
                expectMonotonic(own, version, level, key);
                expectOwn(own, version, level, key);
            }
            case CAUSAL -> {
                expectMonotonic(own, version, level, key);
                expectOwn(own, version, level, key);
                expect("not causal", version, content.at(own.newestCommit), level, key);
            }
            case STRONG -> expect("not strong", version, content.at(begin), level, key);
        }
        own.read.merge(key, version, Math::max);
        own.newestCommit = Math.max(own.newestCommit, content.committed.getOrDefault(version, Long.MIN_VALUE));
    }

    private void expectMonotonic(Session own, long version, Consistency level, String key) {
        expect("went back", version, own.read.getOrDefault(key, 0L), level, key);
    }

    private void expectOwn(Session own, long version, Consistency level, String key) {
        expect("missed its own write", version, own.written.getOrDefault(key, 0L), level, key);
    }

    private void expect(String fault, long version, long least, Consistency level, String key) {
        if (version < least) {
            violations.add(fault + ": " + level + " read of " + key + " " + version + " < " + least);
        }
    }

    private Key key(String name) {
        return keys.computeIfAbsent(name, n -> new Key());
    }

    private Session session(String name) {
        return sessions.computeIfAbsent(name, n -> new Session());
    }

    public long reads() {
        return reads.get();
    }

    /** One line for each promise that a read broke. */
    public synchronized List<String> violations() {
        return List.copyOf(violations);
    }
}
