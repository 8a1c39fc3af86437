package io.kipimo.schemas.caching;

/** Number of invalidations of a key in a window. */
public record InvalidatedKey(String key, long invalidations) {}
