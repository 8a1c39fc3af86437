package io.kipimo.core.admission;

/** The state afterwards, and the output, within the configuration's bounds. */
public record PidStep(PidState next, double output) {}
