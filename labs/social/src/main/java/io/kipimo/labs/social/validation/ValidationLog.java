package io.kipimo.labs.social.validation;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A log of reads and writes. A separate thread validates them after the requests, in the order of their tickets; to the
 * validator, tickets are the times. Memory is bounded: if the thread is behind, reads are skipped and counted, and
 * writes wait for room. Thread-safe.
 */
public final class ValidationLog implements AutoCloseable {
    /** Limit of events that wait for validation; a power of two. */
    private static final int CAPACITY = 1 << 14;

    /** Part of the capacity that is reserved for writes. It is more than can be in progress at once. */
    private static final int FOR_WRITES = 1 << 11;

    /** Number of tickets for which a write is kept. A read spans far fewer. */
    private static final long RETENTION = 4L * CAPACITY;

    private static final long REST_NANOS = 500_000;

    private sealed interface ValidationEvent {}

    private record WriteBegin(Write write) implements ValidationEvent {}

    private record WriteEnd(Write write) implements ValidationEvent {}

    private record ReadEnd(long start, List<Seen> seen) implements ValidationEvent {}

    private final ReadValidator validator;
    private final AtomicReferenceArray<ValidationEvent> slots = new AtomicReferenceArray<>(CAPACITY);
    private final AtomicLong tickets = new AtomicLong();
    private final AtomicLong judgedUpTo = new AtomicLong();
    private final AtomicLongArray verdicts = new AtomicLongArray(ReadVerdict.values().length);
    private final LongAdder skipped = new LongAdder();
    private final Thread thread = new Thread(this::judge, "kipimo-validation");
    private volatile boolean closed;
    private volatile RuntimeException failure;

    public ValidationLog(InitialSets initial) {
        validator = new ReadValidator(initial, RETENTION);
        thread.setDaemon(true);
        thread.start();
    }

    /** Logs the beginning of a write. To be called before the write is sent. */
    public Write beginWrite(List<Change> changes) {
        Write write = new Write(changes);
        publish(new WriteBegin(write));
        return write;
    }

    /** Logs the end of a write. To be called when the store has confirmed it, but not if its outcome is unknown. */
    public void endWrite(Write write) {
        publish(new WriteEnd(write));
    }

    /**
     * Logs the beginning of a read. To be called before the read is sent.
     *
     * @return ticket for {@link #endRead}
     */
    public long beginRead() {
        return tickets.get();
    }

    /** Logs the end of a read. To be called when it was answered, with the sets that it read at one time. */
    public void endRead(long begun, List<Seen> seen) {
        if (tickets.get() - judgedUpTo.get() > CAPACITY - FOR_WRITES) {
            skipped.increment();
        } else {
            publish(new ReadEnd(begun, seen));
        }
    }

    /**
     * Waits until all events are validated.
     *
     * @return counts since the log was made
     * @throws IllegalStateException if the validation failed
     */
    public ReadCounts settle() {
        long upTo = tickets.get();
        while (judgedUpTo.get() < upTo && failure == null && !closed) {
            LockSupport.parkNanos(REST_NANOS);
        }
        if (failure != null) {
            throw new IllegalStateException("reads can no longer be validated", failure);
        }
        long stale = verdicts.get(ReadVerdict.STALE.ordinal());
        long inconsistent = verdicts.get(ReadVerdict.INCONSISTENT.ordinal());
        long wrong = verdicts.get(ReadVerdict.WRONG.ordinal());
        long valid = verdicts.get(ReadVerdict.VALID.ordinal());
        return new ReadCounts(valid + stale + inconsistent + wrong, stale, inconsistent, wrong, skipped.sum());
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    private void publish(ValidationEvent event) {
        long ticket = tickets.getAndIncrement();
        while (ticket - judgedUpTo.get() >= CAPACITY && failure == null && !closed) {
            LockSupport.parkNanos(REST_NANOS);
        }
        slots.set((int) (ticket & (CAPACITY - 1)), event);
    }

    private void judge() {
        long next = 0;
        try {
            while (!closed) {
                int slot = (int) (next & (CAPACITY - 1));
                ValidationEvent event = slots.get(slot);
                if (event == null) {
                    LockSupport.parkNanos(REST_NANOS);
                    continue;
                }
                slots.set(slot, null);
                judge(event, next);
                next++;
                judgedUpTo.set(next);
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void judge(ValidationEvent event, long ticket) {
        if (event instanceof WriteBegin begun) {
            validator.begin(begun.write(), ticket);
        } else if (event instanceof WriteEnd ended) {
            validator.end(ended.write(), ticket);
        } else if (event instanceof ReadEnd read) {
            // A read with next ticket t at its beginning began before t.
            if (validator.reachesBackTo(read.start())) {
                verdicts.incrementAndGet(
                        validator.judge(read.start(), ticket, read.seen()).ordinal());
            } else {
                skipped.increment();
            }
        }
    }
}
