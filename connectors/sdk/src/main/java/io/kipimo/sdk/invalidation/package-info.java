/**
 * Notifications of stale results, for services that keep caches. Read
 * {@link io.kipimo.sdk.invalidation.InvalidationReader} first.
 */
package io.kipimo.sdk.invalidation;
