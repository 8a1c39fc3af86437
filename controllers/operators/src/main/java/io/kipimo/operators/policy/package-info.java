/**
 * Policies as broadcast state, for functions that are not keyed by service. Read
 * {@link io.kipimo.operators.policy.PolicyBook} first.
 */
package io.kipimo.operators.policy;
