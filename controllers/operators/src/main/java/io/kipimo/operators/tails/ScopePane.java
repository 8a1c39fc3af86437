package io.kipimo.operators.tails;

import io.kipimo.core.tails.TailScope;
import io.kipimo.core.tails.TailSums;

/**
 * Sums of a part of a scope over one tumbling window, on their way to the whole scope.
 *
 * @param whole scope that the part belongs to
 * @param startMillis start of the window
 */
record ScopePane(TailScope whole, long startMillis, TailSums sums) {}
