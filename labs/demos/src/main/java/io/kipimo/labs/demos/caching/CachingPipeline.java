package io.kipimo.labs.demos.caching;

import io.kipimo.caching.filter.FilterPublisher;
import io.kipimo.labs.demos.caching.ProductStore.ProductContent;
import java.util.concurrent.CompletionStage;

/** Connects the origin to the caching jobs for one run. */
interface CachingPipeline extends AutoCloseable {
    /** Time to live of the content of a key, milliseconds. */
    CompletionStage<Long> ttlMillis(String key);

    /**
     * Reports that a key is about to be read. The origin evaluates the key when the stage completes; then every later
     * change is detected.
     */
    CompletionStage<Void> reportRead(String key, long expiryMillis);

    /**
     * Reports a completed read.
     *
     * @param beforeMillis when the read was reported, before its evaluation, epoch milliseconds
     * @param ttlMillis time to live in the answer
     */
    void read(String key, ProductContent content, long beforeMillis, long ttlMillis);

    CompletionStage<Void> wrote(Product after);

    FilterPublisher filter();

    /**
     * The lag of the invalidation job. This method waits for notifications in progress.
     *
     * @throws IllegalStateException if no notification of a write arrives
     */
    JobLag lag() throws InterruptedException;

    @Override
    void close();
}
