package io.kipimo.gateway.proxy;

import io.kipimo.gateway.record.MemoKey;
import io.kipimo.gateway.record.RecordedResponse;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.function.Consumer;

/** Looks up a component's earlier response to the same request of the same query. */
final class MemoLookup {
    private MemoLookup() {}

    /** The key of a request whose body is kept. */
    static MemoKey key(Route route, InboundRequest request) {
        Buffer body = request.body().kept();
        return MemoKey.of(
                route.secret(),
                request.trace().traceId(),
                route.config().name(),
                request.http().method().name(),
                request.target(),
                route.gateway().trust().credentialHeaders().stream()
                        .map(request.http().headers()::getAll)
                        .toList(),
                body == null ? new byte[0] : body.getBytes());
    }

    /** Queries the memo cache, then runs one of the two callbacks on the context. */
    static void find(
            Route route,
            MemoKey key,
            Context context,
            Consumer<RecordedResponse> hit,
            Runnable miss) {
        var unused =
                route.recorder()
                        .memo()
                        .get(key)
                        .whenComplete(
                                (found, failure) ->
                                        context.runOnContext(
                                                v -> {
                                                    Optional<RecordedResponse> memo =
                                                            failure == null
                                                                    ? found
                                                                    : Optional.empty();
                                                    memo.ifPresentOrElse(hit, miss);
                                                }));
    }
}
