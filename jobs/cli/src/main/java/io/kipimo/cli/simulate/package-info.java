/**
 * {@code kipimo simulate} and {@code kipimo reproduce}: the controllers in virtual time. Read
 * {@link io.kipimo.cli.simulate.SimulateCommand} first.
 */
package io.kipimo.cli.simulate;
