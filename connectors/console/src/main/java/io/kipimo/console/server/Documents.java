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
 * Writes each document at most once a second, off the event loop, whoever and how many want it.
 * Used by the event loop alone.
 */
final class Documents {
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

    /** Without news too: "for 4 min" becomes "for 5 min". */
    private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private record Kept(Future<Optional<Rendered>> document, long version, long atNanos) {}

    private final Vertx vertx;
    private final Content content;

    /** The oldest first. */
    private final Map<String, Kept> kept = new LinkedHashMap<>();

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

    /** Empty if there is no such service. */
    Future<Optional<Rendered>> service(String name) {
        return document("service/" + name, () -> content.service(name));
    }

    private Future<Optional<Rendered>> document(String key, Supplier<Optional<byte[]>> write) {
        long now = System.nanoTime();
        Kept known = kept.get(key);
        if (known != null && isGood(known, now)) {
            return known.document();
        }
        long version = content.version();
        Future<Optional<Rendered>> document =
                vertx.executeBlocking(() -> write.get().map(Rendered::new), false);
        Iterator<Kept> oldest = kept.values().iterator();
        while (oldest.hasNext() && now - oldest.next().atNanos() > STALE_NANOS) {
            oldest.remove();
        }
        kept.remove(key);
        Kept made = new Kept(document, version, now);
        kept.put(key, made);
        // Names of nothing may be many.
        document.onSuccess(
                found -> {
                    if (found.isEmpty()) {
                        kept.remove(key, made);
                    }
                });
        return document;
    }

    private boolean isGood(Kept known, long now) {
        long age = now - known.atNanos();
        return age < FRESH_NANOS || (age < STALE_NANOS && known.version() == content.version());
    }
}
