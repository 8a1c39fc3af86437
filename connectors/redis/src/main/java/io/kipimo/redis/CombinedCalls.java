package io.kipimo.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Calls of many threads, made together: who comes while one is under way waits, and one of those
 * that wait makes the next for all of them. One thread alone never waits.
 *
 * @param <T> what one call is about
 */
final class CombinedCalls<T> {
    private static final class Round<T> {
        private final List<T> parts = new ArrayList<>();
        private boolean isOver;
        private RuntimeException failure;
    }

    private final Consumer<List<T>> call;
    private Round<T> next = new Round<>();
    private boolean isUnderWay;

    /**
     * @param call of several parts, in the order in which they came; never two at once
     */
    CombinedCalls(Consumer<List<T>> call) {
        this.call = call;
    }

    /**
     * Returns when a call with this part is over.
     *
     * @throws RuntimeException what the call threw, to all that have a part in it
     */
    void make(T part) {
        Round<T> mine = join(part);
        if (!mine.isOver) {
            try {
                call.accept(mine.parts);
            } catch (RuntimeException e) {
                mine.failure = e;
            } catch (Error e) {
                mine.failure = new IllegalStateException("the call broke down", e);
                throw e;
            } finally {
                end(mine);
            }
        }
        if (mine.failure != null) {
            throw mine.failure;
        }
    }

    /** Returns when the round is over, or this thread is to make its call. */
    private synchronized Round<T> join(T part) {
        Round<T> mine = next;
        mine.parts.add(part);
        boolean isInterrupted = false;
        while (isUnderWay && !mine.isOver) {
            try {
                wait();
            } catch (InterruptedException e) {
                // The part may be on its way already; who called is told afterwards.
                isInterrupted = true;
            }
        }
        if (!mine.isOver) {
            isUnderWay = true;
            next = new Round<>();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return mine;
    }

    private synchronized void end(Round<T> round) {
        round.isOver = true;
        isUnderWay = false;
        notifyAll();
    }
}
