package io.kipimo.core.guard;

import io.kipimo.schemas.policy.Policy;
import java.io.Serializable;

/**
 * A controller of a service, which follows the service's policy and shares its actuation lock with another controller.
 *
 * @param <S> state that one step passes to the next
 * @param <I> input: windows
 * @param <O> the other controller's decisions
 * @param <D> this controller's decisions
 */
public interface ServiceController<S, I, O, D> extends Controller<S, I, D, Policy>, Serializable {
    /** State before the first step. */
    S initial();

    /** The actuation lock after a decision of the other controller. */
    MoverTurn lockAfter(MoverTurn lock, O decision, Policy policy);

    /** Period of heartbeats, milliseconds; 0: the policy does not use this controller. */
    default long periodMillis(Policy policy) {
        return policy.admission().periodMillis();
    }
}
