package io.kipimo.duplicates;

import io.kipimo.core.arbitration.Action;
import io.kipimo.core.arbitration.Arbiter;
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
 * Reads from one duplicate, and sends a copy of the read to another one if the first is late. It drives an
 * {@link Arbiter} on one event loop, on which all its methods run.
 */
final class LateReads {
    private static final double QUANTILE = 0.95;

    private final Vertx vertx;
    private final int duplicates;
    private final BiFunction<Integer, Attempt, CompletableFuture<ReadResult>> ask;
    private final Arbiter arbiter;
    private final Map<Long, Attempt> open = new HashMap<>();
    private long next;

    /**
     * A read under way.
     *
     * @param answer completes with the first copy that succeeds
     * @param copies copies that were sent, by index
     */
    record Attempt(
            String target,
            long least,
            CompletableFuture<ReadResult> answer,
            Map<Integer, CompletableFuture<ReadResult>> copies) {
        Attempt(String target, long least) {
            this(target, least, new CompletableFuture<>(), new HashMap<>(2));
        }
    }

    /**
     * @param patienceMillis longest time that a second copy waits for the first response before it is sent,
     *     milliseconds
     * @param ask asks the duplicate with a given place in the list
     */
    LateReads(
            Vertx vertx,
            int duplicates,
            int patienceMillis,
            BiFunction<Integer, Attempt, CompletableFuture<ReadResult>> ask) {
        this.vertx = vertx;
        this.duplicates = duplicates;
        this.ask = ask;
        arbiter = new Arbiter(
                new RoundRobin(duplicates),
                new Arbiter.Hedging(
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
        arbiter.hedgeMillis(id, nowMicros())
                .ifPresent(millis -> vertx.setTimer(millis, t -> perform(arbiter.onTimer(nowMicros()))));
    }

    private void perform(List<Action> actions) {
        for (Action action : actions) {
            Attempt attempt = open.get(action.requestId());
            if (action instanceof Action.Send send) {
                send(send, attempt);
            } else if (action instanceof Action.Respond respond) {
                open.remove(respond.requestId());
                var unused = attempt.copies.get(respond.winner()).whenComplete((result, failure) -> {
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
        var unused = copy.whenComplete(
                (result, failure) -> vertx.getOrCreateContext().runOnContext(v -> ended(send, failure == null)));
    }

    private void ended(Action.Send send, boolean isCompleted) {
        perform(arbiter.onEnd(
                send.requestId(), send.index(), isCompleted ? AttemptEnd.COMPLETED : AttemptEnd.FAILED, nowMicros()));
    }

    private static long nowMicros() {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
    }
}
