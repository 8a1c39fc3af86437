/**
 * Command {@code kipimo simulate}, which runs the controllers in virtual time. Read
 * {@link io.kipimo.cli.simulate.SimulateCommand} first.
 */
package io.kipimo.cli.simulate;
