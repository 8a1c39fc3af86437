/**
 * Policies as broadcast state: what every keyed function needs to know of the services. Read {@link
 * io.kipimo.operators.policy.PolicyBook} first.
 */
package io.kipimo.operators.policy;
