package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.Items;

/** The kept part of one partial result; its place in the query gives its component and phase. */
record KeptResult(long completedAtMillis, long latencyMicros, Items items, boolean truncated) {}
