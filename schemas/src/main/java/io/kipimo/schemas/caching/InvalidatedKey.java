package io.kipimo.schemas.caching;

/** How often a key was invalidated in a window. */
public record InvalidatedKey(String key, long invalidations) {}
