package io.kipimo.core.admission;

import io.kipimo.core.guard.ControlInput;
import io.kipimo.core.guard.ControlOutput;
import java.util.Optional;

/**
 * A step of the loop before it is allotted to the classes; all of it is about the opened part of
 * the room between their floors and ceilings, 0..1.
 *
 * @param opening what was open
 * @param input what it was decided on; empty: the window had no estimate
 * @param wish of the control law, had there been no guard
 * @param decided behind the guards
 */
record ControlTrace(
        double opening,
        Optional<ControlInput> input,
        Optional<ControlOutput<PidState>> wish,
        ControlOutput<PidState> decided) {}
