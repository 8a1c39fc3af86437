/**
 * What is thought: measurement, estimation and control as pure functions of state, input and now. No engine, no I/O, no
 * clock, no chance of its own: time and randomness are arguments, so that operators, simulator and command line call
 * the very same methods. Each sub-package is one slice and names the paper that it comes from.
 */
package io.kipimo.core;
