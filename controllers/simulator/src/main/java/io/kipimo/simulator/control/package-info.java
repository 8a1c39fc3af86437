/**
 * The product's decisions in virtual time: the steps of jobs, SDK and actuators on the simulated service's answers, in
 * the same order and with the same functions of core. Read {@link io.kipimo.simulator.control.ControlPlane} first.
 */
package io.kipimo.simulator.control;
