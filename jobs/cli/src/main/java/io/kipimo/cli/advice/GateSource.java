package io.kipimo.cli.advice;

import java.util.OptionalDouble;

/** Where a gate's evidence on one class comes from. */
interface GateSource {
    /** Mean quality that the class's policy wants; empty without a policy. */
    OptionalDouble objective();

    /** What is known of a time range by now. */
    GateInput evidence(TimeRange range);
}
