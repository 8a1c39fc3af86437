/**
 * What a service wants: how its answers are merged and compared, what its classes are promised, how
 * it is sampled and steered (Ubora, sec. 3, 5 and 8). Read {@link io.kipimo.schemas.policy.Policy}
 * first.
 */
package io.kipimo.schemas.policy;
