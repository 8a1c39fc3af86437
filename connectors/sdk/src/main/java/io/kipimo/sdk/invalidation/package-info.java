/**
 * The stream of notifications, for whoever keeps caches. Read {@link
 * io.kipimo.sdk.invalidation.InvalidationReader} first.
 */
package io.kipimo.sdk.invalidation;
