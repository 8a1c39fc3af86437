package io.kipimo.harness.caching;

import io.kipimo.caching.filter.FilterPublisher;
import io.kipimo.harness.caching.ProductStore.Content;
import java.util.concurrent.CompletionStage;

/** What an origin needs to have its answers cached; of one run. */
interface CachingPipeline extends AutoCloseable {
    /** For how long what is at a key may be cached, milliseconds. */
    long ttlMillis(String key, boolean isQuery);

    /** Told before the key is read; the answer leaves when this is done. */
    CompletionStage<Void> reportRead(String key, long expiryMillis);

    /**
     * What was read.
     *
     * @param beforeMillis before it was evaluated
     * @param ttlMillis that is handed out
     */
    CompletionStage<Void> read(String key, Content content, long beforeMillis, long ttlMillis);

    CompletionStage<Void> wrote(Product before, Product after);

    FilterPublisher filter();

    /** Cached answers that were found stale so far. */
    long invalidations();

    @Override
    void close();
}
