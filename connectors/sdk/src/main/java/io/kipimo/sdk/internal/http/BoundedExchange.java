package io.kipimo.sdk.internal.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends HTTP requests with limits on the time and the size of the whole answer. The time-out of the JDK's client ends
 * when the head of the answer has arrived, so a slow body could take forever, and an endless one would fill the memory.
 *
 * @param deadline time from the request to the end of the answer's body, unless the request has a time-out of its own
 * @param mostBytes greatest number of bytes of a body, as they are sent
 */
public record BoundedExchange(HttpClient http, Duration deadline, long mostBytes) {
    /** Limit of bytes of a page that a person or a program reads as a whole, such as metrics. */
    public static final long LARGEST_PAGE = 64L << 20;

    /** Creates exchanges of pages, with an HTTP client of their own. */
    public static BoundedExchange ofPages(Duration deadline) {
        return new BoundedExchange(
                HttpClient.newBuilder().connectTimeout(deadline).build(), deadline, LARGEST_PAGE);
    }

    /**
     * Sends a request and waits for the whole answer.
     *
     * @throws IOException if there is no whole answer in time, or if its body is too large
     */
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> body) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> answer = sendAsync(request, body);
        try {
            return answer.get();
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        }
    }

    /**
     * Sends a request.
     *
     * @return the whole answer; fails with an {@link IOException} if it is late, or if its body is too large.
     *     Cancelling the future ends the exchange.
     */
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> body) {
        Duration within = request.timeout().orElse(deadline);
        AtomicReference<BoundedBody<T>> receiving = new AtomicReference<>();
        CompletableFuture<HttpResponse<T>> answer = new CompletableFuture<>();
        CompletableFuture<HttpResponse<T>> exchange = http.sendAsync(request, head -> {
            BoundedBody<T> bounded = new BoundedBody<>(body.apply(head), mostBytes);
            receiving.set(bounded);
            if (answer.isDone()) {
                // It was given up before its head came.
                bounded.end(new CancellationException());
            }
            return bounded;
        });
        var unusedAnswer = exchange.whenComplete((whole, failure) -> {
            if (failure == null) {
                answer.complete(whole);
            } else {
                answer.completeExceptionally(failure);
            }
        });
        CompletableFuture<Void> timer =
                new CompletableFuture<Void>().completeOnTimeout(null, within.toMillis(), TimeUnit.MILLISECONDS);
        var unusedTimer = timer.thenRun(() -> answer.completeExceptionally(
                new HttpTimeoutException("no whole answer within " + within.toMillis() + " ms")));
        var unusedEnd = answer.whenComplete((whole, failure) -> {
            timer.cancel(false);
            if (failure != null && !exchange.isDone()) {
                exchange.cancel(true);
                BoundedBody<T> begun = receiving.get();
                if (begun != null) {
                    begun.end(failure);
                }
            }
        });
        return answer;
    }

    /** Passes a body on until it has too many bytes. Calls come one at a time, except for {@link #end}. */
    private static final class BoundedBody<T> implements BodySubscriber<T> {
        private final BodySubscriber<T> to;
        private final long mostBytes;
        private Subscription from;
        private long bytes;
        private boolean isOver;

        BoundedBody(BodySubscriber<T> to, long mostBytes) {
            this.to = to;
            this.mostBytes = mostBytes;
        }

        @Override
        public CompletionStage<T> getBody() {
            return to.getBody();
        }

        @Override
        public synchronized void onSubscribe(Subscription subscription) {
            from = subscription;
            if (isOver) {
                subscription.cancel();
            } else {
                to.onSubscribe(subscription);
            }
        }

        @Override
        public synchronized void onNext(List<ByteBuffer> piece) {
            if (isOver) {
                return;
            }
            for (ByteBuffer part : piece) {
                bytes += part.remaining();
            }
            if (bytes > mostBytes) {
                end(new IOException("the body is larger than " + mostBytes + " bytes"));
            } else {
                to.onNext(piece);
            }
        }

        @Override
        public synchronized void onError(Throwable failure) {
            if (!isOver) {
                isOver = true;
                to.onError(failure);
            }
        }

        @Override
        public synchronized void onComplete() {
            if (!isOver) {
                isOver = true;
                to.onComplete();
            }
        }

        /** Ends the exchange, since a body that goes on would keep its connection. */
        synchronized void end(Throwable why) {
            if (isOver) {
                return;
            }
            isOver = true;
            if (from != null) {
                from.cancel();
                to.onError(why);
            }
        }
    }
}
