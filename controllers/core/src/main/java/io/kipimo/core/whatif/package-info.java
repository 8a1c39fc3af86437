/**
 * What would have been decided: recorded windows, or recorded answers, partial results and counts,
 * go through the decision code of the jobs once more, by the same policy or another one. {@link
 * io.kipimo.core.whatif.RecordedInvocations} says when a controller was run and on what, {@link
 * io.kipimo.core.whatif.ControlReplay} runs it again, {@link
 * io.kipimo.core.whatif.MeasurementReplay} makes windows anew and {@link
 * io.kipimo.core.whatif.OtherDeadline} the events that another deadline would have given. Load is
 * as recorded: what another fraction would have done to the service is for the simulator.
 *
 * <p>Read {@link io.kipimo.core.whatif.ControlReplay} first.
 */
package io.kipimo.core.whatif;
