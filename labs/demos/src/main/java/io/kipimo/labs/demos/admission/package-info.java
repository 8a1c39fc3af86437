/**
 * The command {@code kipimo demo}: runs the whole control loop on this machine, once for each way of control on one
 * trace, and reports the results. Read {@link io.kipimo.labs.demos.admission.Demo} first.
 */
package io.kipimo.labs.demos.admission;
