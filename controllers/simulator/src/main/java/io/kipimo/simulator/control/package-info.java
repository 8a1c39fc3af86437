/**
 * The product's own decisions in virtual time: what the jobs, the sdk and the actuators do with the
 * simulated service's answers, in the same order and by the same functions of core. Read {@link
 * io.kipimo.simulator.control.ControlPlane} first.
 */
package io.kipimo.simulator.control;
