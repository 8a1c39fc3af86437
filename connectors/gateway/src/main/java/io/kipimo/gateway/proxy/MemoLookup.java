package io.kipimo.gateway.proxy;

import io.kipimo.gateway.http.Parameters;
import io.kipimo.gateway.record.MemoKey;
import io.kipimo.gateway.record.RecordedResponse;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Looks up a component's earlier response to the same request of the same query. */
final class MemoLookup {
    private MemoLookup() {}

    /**
     * The key of a request whose body is kept. It leaves out parameters that differ each time that the request is sent.
     */
    static MemoKey key(Route route, InboundRequest request) {
        Buffer kept = request.body().kept();
        byte[] body = kept == null ? new byte[0] : kept.getBytes();
        String target = request.target();
        Set<String> ignored = route.config().memoWithout();
        if (!ignored.isEmpty()) {
            target = Parameters.ofTargetWithout(target, ignored::contains);
            if (Parameters.isForm(request.http().getHeader(HttpHeaders.CONTENT_TYPE))) {
                String form = new String(body, StandardCharsets.UTF_8);
                body = Parameters.without(form, ignored::contains).getBytes(StandardCharsets.UTF_8);
            }
        }
        return MemoKey.of(
                route.secret(),
                request.trace().traceId(),
                route.config().name(),
                request.http().method().name(),
                target,
                route.gateway().trust().credentialHeaders().stream()
                        .map(request.http().headers()::getAll)
                        .toList(),
                body);
    }

    /** Queries the memo cache, then runs one of the two callbacks on the context. */
    static void find(Route route, MemoKey key, Context context, Consumer<RecordedResponse> hit, Runnable miss) {
        var unused = route.recorder()
                .memo()
                .get(key)
                .whenComplete((found, failure) -> context.runOnContext(v -> {
                    Optional<RecordedResponse> memo = failure == null ? found : Optional.empty();
                    memo.ifPresentOrElse(hit, miss);
                }));
    }
}
