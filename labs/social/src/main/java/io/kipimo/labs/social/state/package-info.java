/**
 * Restores the store's initial state between experiments with writes: the paper's agile data loading (sec. 4 and 5).
 * Read {@link io.kipimo.labs.social.state.StateMode} first.
 */
package io.kipimo.labs.social.state;
