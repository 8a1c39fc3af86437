package io.kipimo.core.admission;

import io.kipimo.core.guard.Outcome;
import io.kipimo.core.guard.Situation;
import java.util.Optional;

/**
 * A step of the loop before it is dealt out to the classes; all of it is about the opened part of
 * the room between their floors and ceilings, 0..1.
 *
 * @param opening what was open
 * @param situation what it was decided on; empty: the window had no estimate
 * @param wish of the controller, had there been no guard
 * @param decided behind the guards
 */
record Trace(
        double opening,
        Optional<Situation> situation,
        Optional<Outcome<PidState>> wish,
        Outcome<PidState> decided) {}
