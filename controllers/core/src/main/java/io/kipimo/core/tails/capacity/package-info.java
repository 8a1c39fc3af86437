/**
 * How many requests a tier can process: the Baseline estimator of demands and the capacities of servers and tokens
 * (sPARE, sec. V-A; Pérez, Casale and Pacheco-Sanchez, IEEE TSE 41, 2015).
 *
 * <p>Read {@link io.kipimo.core.tails.capacity.BaselineEstimator} first.
 */
package io.kipimo.core.tails.capacity;
