/**
 * {@code kipimo demo}: the whole control loop on this machine, one run for each way of control on the same trace, and
 * the results. Read {@link io.kipimo.labs.demos.admission.Demo} first.
 */
package io.kipimo.labs.demos.admission;
