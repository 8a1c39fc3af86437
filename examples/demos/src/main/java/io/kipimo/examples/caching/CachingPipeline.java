package io.kipimo.examples.caching;

import io.kipimo.caching.filter.FilterPublisher;
import io.kipimo.examples.caching.ProductStore.Content;
import java.util.concurrent.CompletionStage;

/** What an origin needs to have its answers cached; of one run. */
interface CachingPipeline extends AutoCloseable {
    /** For how long what is at a key may be cached, milliseconds. */
    CompletionStage<Long> ttlMillis(String key);

    /**
     * Told before the key is read; it is evaluated when this is done, and every later change is
     * found.
     */
    CompletionStage<Void> reportRead(String key, long expiryMillis);

    /**
     * What was read.
     *
     * @param beforeMillis before it was evaluated
     * @param ttlMillis that is handed out
     */
    void read(String key, Content content, long beforeMillis, long ttlMillis);

    CompletionStage<Void> wrote(Product after);

    FilterPublisher filter();

    /**
     * How long the job took; waits for what is under way.
     *
     * @throws IllegalStateException if a write is told of by nobody
     */
    JobLag lag() throws InterruptedException;

    @Override
    void close();
}
