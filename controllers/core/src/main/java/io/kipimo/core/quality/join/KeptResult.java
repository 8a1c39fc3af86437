package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.ComponentResult;
import io.kipimo.schemas.quality.Items;

/** A result that was read from storage. One that came from the log is its event. */
record KeptResult(long eventTimeMillis, long latencyMicros, Items items, boolean isTruncated)
        implements ComponentResult {}
