package io.kipimo.sdk.caching;

import java.net.http.HttpHeaders;

/**
 * Answer to a read.
 *
 * @param version version of the content from header {@link CachingClient#VERSION}; 0 without it
 * @param source place that answered
 * @param isRevalidated whether caches had to ask the origin
 * @param isUnchanged whether the client's own copy was still valid
 */
public record CachedResponse(
        int status,
        byte[] body,
        HttpHeaders headers,
        long version,
        Source source,
        boolean isRevalidated,
        boolean isUnchanged) {
    /** Place that answered a read. */
    public enum Source {
        CLIENT_CACHE,
        SHARED_CACHE,
        ORIGIN
    }
}
