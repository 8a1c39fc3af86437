/**
 * A discrete-event model of a scatter-gather service in virtual time, controlled by the product's own measurement,
 * statistics and controllers. The same scenario and seed give the same bytes.
 *
 * <p>Read {@link io.kipimo.simulator.scenario.Simulation} first, then
 * {@link io.kipimo.simulator.service.SimulatedService} for the service and
 * {@link io.kipimo.simulator.control.ControlPlane} for its control.
 */
package io.kipimo.simulator;
