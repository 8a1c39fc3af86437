/** The hash of sampling, admission and filters of stale keys. See {@link io.kipimo.core.hash.XxHash64}. */
package io.kipimo.core.hash;
