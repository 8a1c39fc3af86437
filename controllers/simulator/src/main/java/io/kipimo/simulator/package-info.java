/**
 * A discrete-event model of a scatter-gather service, steered by the product's own scoring,
 * statistics and controllers in virtual time. The same scenario and seed give the same bytes.
 *
 * <p>Read {@link io.kipimo.simulator.scenario.Simulation} first, then {@link
 * io.kipimo.simulator.service.SimulatedService} for the service and {@link
 * io.kipimo.simulator.control.ControlPlane} for what steers it.
 */
package io.kipimo.simulator;
