package io.kipimo.core.admission;

/** State after a step, and its output, within the bounds of the configuration. */
record PidStep(PidState next, double output) {}
