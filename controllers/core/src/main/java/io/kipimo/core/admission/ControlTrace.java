package io.kipimo.core.admission;

import io.kipimo.core.guard.ControlInput;
import io.kipimo.core.guard.ControlOutput;
import java.util.Optional;

/**
 * A step of the loop before it is allotted to the classes. All values are opened parts of the room between the classes'
 * floors and ceilings, 0..1.
 *
 * @param opening opened part before the step
 * @param input input of the control law; empty: the window had no estimate
 * @param wanted output of the control law without guards
 * @param decided output of the control law behind the guards
 */
record ControlTrace(
        double opening,
        Optional<ControlInput> input,
        Optional<ControlOutput<PidState>> wanted,
        ControlOutput<PidState> decided) {
    ControlTrace with(ControlOutput<PidState> other) {
        return new ControlTrace(opening, input, wanted, other);
    }
}
