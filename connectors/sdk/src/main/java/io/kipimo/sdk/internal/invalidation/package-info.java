/** Record headers of topic {@code invalidations}, which the job writes and the reader reads. */
package io.kipimo.sdk.internal.invalidation;
