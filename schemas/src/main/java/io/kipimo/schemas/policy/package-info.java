/**
 * Policy of a service: how its answers are merged and compared, the service levels of its classes, and how it is
 * sampled and controlled (Ubora, sec. 3, 5 and 8). Read {@link io.kipimo.schemas.policy.Policy} first.
 */
package io.kipimo.schemas.policy;
