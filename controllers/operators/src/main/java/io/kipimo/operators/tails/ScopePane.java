package io.kipimo.operators.tails;

import io.kipimo.core.tails.TailScope;
import io.kipimo.core.tails.TailSums;

/**
 * A part of a scope over one tumbling window, on its way to the whole.
 *
 * @param whole that it is a part of
 * @param startMillis of the window
 */
record ScopePane(TailScope whole, long startMillis, TailSums sums) {}
