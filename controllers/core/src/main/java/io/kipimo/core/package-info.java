/**
 * The logic of Kipimo: measurement, estimation and control as pure functions of state, input and the present time. They
 * contain no engine, no I/O, no clock and no chance of their own. Time and randomness are arguments, so that operators,
 * simulator and command line call the very same methods. Each sub-package is one topic and names the paper that it
 * comes from.
 */
package io.kipimo.core;
