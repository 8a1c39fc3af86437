package io.kipimo.duplicates;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/**
 * Tracks the last write that a duplicate has applied, and the requests that wait for a later write. The number of
 * waiting requests is bounded.
 */
final class AppliedPosition {
    private static final int MOST_WAITING = 10_000;

    private record WaitingRead(long ticket, CompletableFuture<Void> reached) {}

    private final PriorityQueue<WaitingRead> waiting =
            new PriorityQueue<>(Comparator.comparingLong(WaitingRead::ticket));
    private DuplicateStanding standing = DuplicateStanding.CATCHING_UP;
    private long ticket = -1;

    synchronized DuplicateStanding standing() {
        return standing;
    }

    /** Ticket of the last write applied; -1: none. */
    synchronized long ticket() {
        return ticket;
    }

    /**
     * Returns a future that completes when the write with that ticket is applied. It fails with a
     * {@link NotServingException} if the duplicate is out of service or goes out first, or if too many requests wait.
     */
    synchronized CompletableFuture<Void> reached(long wanted) {
        if (standing != DuplicateStanding.SERVING) {
            return CompletableFuture.failedFuture(new NotServingException(standing));
        }
        if (wanted <= ticket) {
            return CompletableFuture.completedFuture(null);
        }
        if (waiting.size() >= MOST_WAITING) {
            waiting.removeIf(w -> w.reached().isDone());
        }
        CompletableFuture<Void> reached = new CompletableFuture<>();
        if (waiting.size() >= MOST_WAITING) {
            reached.completeExceptionally(new NotServingException(DuplicateStanding.CATCHING_UP));
        } else {
            waiting.add(new WaitingRead(wanted, reached));
        }
        return reached;
    }

    /**
     * Records that all writes up to ticket {@code now} are applied, and completes the requests that waited for them.
     */
    void advance(long now) {
        List<WaitingRead> served = new ArrayList<>();
        synchronized (this) {
            ticket = now;
            while (!waiting.isEmpty() && waiting.peek().ticket() <= now) {
                served.add(waiting.poll());
            }
        }
        served.forEach(w -> w.reached().complete(null));
    }

    /** Changes the standing. Waiting requests fail unless the duplicate serves now. */
    void stand(DuplicateStanding now) {
        List<WaitingRead> refused = new ArrayList<>();
        synchronized (this) {
            standing = now;
            if (now != DuplicateStanding.SERVING) {
                refused.addAll(waiting);
                waiting.clear();
            }
        }
        refused.forEach(w -> w.reached().completeExceptionally(new NotServingException(now)));
    }
}
