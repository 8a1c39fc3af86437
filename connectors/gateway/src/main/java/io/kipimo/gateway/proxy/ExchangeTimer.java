package io.kipimo.gateway.proxy;

import io.vertx.core.Vertx;

/** A timer that runs its task at most once. */
final class ExchangeTimer {
    private static final long NONE = -1;

    private final Vertx vertx;
    private long id = NONE;

    ExchangeTimer(Vertx vertx) {
        this.vertx = vertx;
    }

    void start(long millis, Runnable task) {
        id = vertx.setTimer(millis, t -> {
            id = NONE;
            task.run();
        });
    }

    void cancel() {
        if (id != NONE) {
            vertx.cancelTimer(id);
            id = NONE;
        }
    }
}
