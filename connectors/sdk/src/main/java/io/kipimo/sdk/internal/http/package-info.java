/** Fields of HTTP that tell how long an answer is fresh; {@link io.kipimo.sdk.internal.http.CacheDirectives} first. */
package io.kipimo.sdk.internal.http;
