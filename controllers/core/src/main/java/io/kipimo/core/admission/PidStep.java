package io.kipimo.core.admission;

/** The state of the controller after a step, and the output of the step, within the bounds of the configuration. */
record PidStep(PidState next, double output) {}
