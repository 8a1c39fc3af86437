/**
 * {@code kipimo demo}: the whole loop on this machine, one run a way of control on the same trace,
 * and what came out of it. Read {@link io.kipimo.examples.demo.Demo} first.
 */
package io.kipimo.examples.demo;
