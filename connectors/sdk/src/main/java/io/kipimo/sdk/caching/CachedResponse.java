package io.kipimo.sdk.caching;

import java.net.http.HttpHeaders;

/**
 * What a read brought.
 *
 * @param version of the content, as the origin told in {@link CachingClient#VERSION}; 0 if it did
 *     not
 * @param source who answered
 * @param isRevalidated caches were made to ask the origin
 * @param isUnchanged the client's own copy was found to be right still
 */
public record CachedResponse(
        int status,
        byte[] body,
        HttpHeaders headers,
        long version,
        Source source,
        boolean isRevalidated,
        boolean isUnchanged) {
    /** Who answered a read. */
    public enum Source {
        CLIENT_CACHE,
        SHARED_CACHE,
        ORIGIN
    }
}
