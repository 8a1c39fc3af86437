package io.kipimo.bench.replay;

import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Queue;

/** A fixed number of workers with a queue. Only one event loop may use them. */
final class Workers {
    private final Vertx vertx;
    private final Queue<QueuedWork> waiting = new ArrayDeque<>();
    private int free;

    Workers(Vertx vertx, int workers) {
        this.vertx = vertx;
        this.free = workers;
    }

    /** A piece of work, queued or running. */
    final class QueuedWork {
        private final long millis;
        private final Runnable done;
        private long timer;
        private boolean running;
        private boolean over;

        private QueuedWork(long millis, Runnable done) {
            this.millis = millis;
            this.done = done;
        }

        private void begin() {
            running = true;
            timer = vertx.setTimer(millis, t -> {
                leave();
                done.run();
            });
        }

        private void leave() {
            over = true;
            free++;
            next();
        }

        /** Cancels the work; a worker that runs it takes the next one. */
        void breakOff() {
            if (running && !over) {
                vertx.cancelTimer(timer);
                leave();
            } else {
                over = true;
            }
        }
    }

    /**
     * Queues a piece of work.
     *
     * @param done run at completion, unless the work was cancelled
     */
    QueuedWork work(long millis, Runnable done) {
        QueuedWork work = new QueuedWork(millis, done);
        waiting.add(work);
        next();
        return work;
    }

    private void next() {
        while (free > 0 && !waiting.isEmpty()) {
            QueuedWork first = waiting.remove();
            if (!first.over) {
                free--;
                first.begin();
            }
        }
    }
}
