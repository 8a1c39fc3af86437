package io.kipimo.console.server;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Renders documents on worker threads, each at most once a second for any number of clients. Only the event loop may
 * call its methods.
 */
final class Documents {
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

    /** Greatest age of a document while nothing changes. Its texts name ages, such as "for 4 min", which grow. */
    private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private record CachedDocument(Future<Optional<Rendered>> document, long version, long atNanos) {}

    private final Vertx vertx;
    private final Content content;

    /** The documents, the oldest first. */
    private final Map<String, CachedDocument> kept = new LinkedHashMap<>();

    Documents(Vertx vertx, Content content) {
        this.vertx = vertx;
        this.content = content;
    }

    Future<Optional<Rendered>> state() {
        return document("state", () -> Optional.of(content.state()));
    }

    Future<Optional<Rendered>> summary() {
        return document("summary", () -> Optional.of(content.summary()));
    }

    /** The document of a service; empty if there is no such service. */
    Future<Optional<Rendered>> service(String name) {
        return document("service/" + name, () -> content.service(name));
    }

    /** The worst queries. They are not cached, because there are few of them and many possible parameters. */
    Future<Optional<Rendered>> queries(Optional<String> service, Optional<String> queryClass, int limit) {
        return vertx.executeBlocking(
                () -> Optional.of(new Rendered(content.queries(service, queryClass, limit))), false);
    }

    private Future<Optional<Rendered>> document(String key, Supplier<Optional<byte[]>> write) {
        long now = System.nanoTime();
        CachedDocument known = kept.get(key);
        if (known != null && isGood(known, now)) {
            return known.document();
        }
        long version = content.version();
        Future<Optional<Rendered>> document =
                vertx.executeBlocking(() -> write.get().map(Rendered::new), false);
        Iterator<CachedDocument> oldest = kept.values().iterator();
        while (oldest.hasNext() && now - oldest.next().atNanos() > STALE_NANOS) {
            oldest.remove();
        }
        kept.remove(key);
        CachedDocument made = new CachedDocument(document, version, now);
        kept.put(key, made);
        // Clients may ask for many unknown names.
        document.onSuccess(found -> {
            if (found.isEmpty()) {
                kept.remove(key, made);
            }
        });
        return document;
    }

    private boolean isGood(CachedDocument known, long now) {
        long age = now - known.atNanos();
        return age < FRESH_NANOS || (age < STALE_NANOS && known.version() == content.version());
    }
}
