/**
 * How the store is restored between experiments that write: the paper's agile data loading (sec. 4
 * and 5). Read {@link io.kipimo.loadgen.social.state.StateMode} first.
 */
package io.kipimo.loadgen.social.state;
