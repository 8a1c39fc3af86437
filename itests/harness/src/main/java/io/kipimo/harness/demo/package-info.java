/**
 * {@code kipimo demo}: the whole loop on this machine, one run a way of control on the same trace,
 * and what came out of it. Read {@link io.kipimo.harness.demo.Demo} first.
 */
package io.kipimo.harness.demo;
