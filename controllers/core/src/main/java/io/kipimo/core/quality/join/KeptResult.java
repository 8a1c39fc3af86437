package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.Items;

/** What is kept of one partial result; its component and phase are its place in the query. */
record KeptResult(long completedAtMillis, long latencyMicros, Items items, boolean truncated) {}
