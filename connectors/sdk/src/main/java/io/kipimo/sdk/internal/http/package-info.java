/**
 * HTTP fields that tell how long an answer is fresh. Read {@link io.kipimo.sdk.internal.http.CacheDirectives} first.
 */
package io.kipimo.sdk.internal.http;
