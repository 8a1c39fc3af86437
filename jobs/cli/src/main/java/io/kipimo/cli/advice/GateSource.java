package io.kipimo.cli.advice;

import java.util.OptionalDouble;

/** Source of a gate's evidence on one class. */
interface GateSource {
    /** Mean quality that the class's policy sets as objective; empty without a policy. */
    OptionalDouble objective();

    /**
     * Returns the evidence on a time range, as far as it is available now.
     *
     * @param variant variant of the class; empty: all answers of the class
     */
    GateInput evidence(TimeRange range, String variant);
}
