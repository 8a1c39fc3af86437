package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Text;

/** Number of invalidations of a key in a window. */
public record InvalidatedKey(
        @Text(longest = CacheRead.LONGEST_KEY) String key, long invalidations) {}
