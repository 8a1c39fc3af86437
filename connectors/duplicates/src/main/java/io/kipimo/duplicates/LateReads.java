package io.kipimo.duplicates;

import io.kipimo.core.arbitration.Action;
import io.kipimo.core.arbitration.Arbiter;
import io.kipimo.core.arbitration.ArbiterSettings;
import io.kipimo.core.arbitration.AttemptEnd;
import io.kipimo.core.arbitration.CopyBudget;
import io.kipimo.core.arbitration.RoundRobin;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/**
 * Reads from one duplicate, with a copy to another one if it is late. Drives an {@link Arbiter} on
 * one event loop, which every method runs on.
 */
final class LateReads {
    private static final double QUANTILE = 0.95;

    private final Vertx vertx;
    private final int duplicates;
    private final BiFunction<Integer, Attempt, CompletableFuture<ReadResult>> ask;
    private final Arbiter arbiter;
    private final Map<Long, Attempt> open = new HashMap<>();
    private long next;

    /** A read under way; its answer completes with the first copy that succeeds. */
    static final class Attempt {
        private final String target;
        private final long least;
        private final CompletableFuture<ReadResult> answer = new CompletableFuture<>();
        private final Map<Integer, CompletableFuture<ReadResult>> copies = new HashMap<>(2);

        Attempt(String target, long least) {
            this.target = target;
            this.least = least;
        }

        String target() {
            return target;
        }

        long least() {
            return least;
        }

        CompletableFuture<ReadResult> answer() {
            return answer;
        }
    }

    /**
     * @param patienceMillis most that a copy waits for the first response
     * @param ask asks a duplicate, by its place
     */
    LateReads(
            Vertx vertx,
            int duplicates,
            int patienceMillis,
            BiFunction<Integer, Attempt, CompletableFuture<ReadResult>> ask) {
        this.vertx = vertx;
        this.duplicates = duplicates;
        this.ask = ask;
        arbiter =
                new Arbiter(
                        new RoundRobin(duplicates),
                        new ArbiterSettings(
                                true,
                                QUANTILE,
                                TimeUnit.MILLISECONDS.toMicros(patienceMillis),
                                CopyBudget.DEFAULT_SHARE,
                                false));
    }

    void begin(Attempt attempt) {
        long id = next++;
        open.put(id, attempt);
        perform(arbiter.onRequest(id, Math.min(2, duplicates), nowMicros()));
        long due = arbiter.hedgeMicros(id);
        if (due != Long.MAX_VALUE) {
            vertx.setTimer(
                    TimeUnit.MICROSECONDS.toMillis(Math.max(0, due - nowMicros())) + 1,
                    t -> perform(arbiter.onTimer(nowMicros())));
        }
    }

    private void perform(List<Action> actions) {
        for (Action action : actions) {
            Attempt attempt = open.get(action.requestId());
            if (action instanceof Action.Send send) {
                send(send, attempt);
            } else if (action instanceof Action.Respond respond) {
                open.remove(respond.requestId());
                var unused =
                        attempt.copies
                                .get(respond.winner())
                                .whenComplete(
                                        (result, failure) -> {
                                            if (failure == null) {
                                                attempt.answer.complete(result);
                                            } else {
                                                attempt.answer.completeExceptionally(failure);
                                            }
                                        });
            }
        }
    }

    private void send(Action.Send send, Attempt attempt) {
        CompletableFuture<ReadResult> copy = ask.apply(send.server(), attempt);
        attempt.copies.put(send.index(), copy);
        var unused =
                copy.whenComplete(
                        (result, failure) ->
                                vertx.getOrCreateContext()
                                        .runOnContext(v -> ended(send, failure == null)));
    }

    private void ended(Action.Send send, boolean isCompleted) {
        perform(
                arbiter.onEnd(
                        send.requestId(),
                        send.index(),
                        isCompleted ? AttemptEnd.COMPLETED : AttemptEnd.FAILED,
                        nowMicros()));
    }

    private static long nowMicros() {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
    }
}
