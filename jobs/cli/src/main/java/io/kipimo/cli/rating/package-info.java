/**
 * How much load a target carries within its agreement ({@code rate}). Read {@link
 * io.kipimo.cli.rating.RateCommand} first.
 */
package io.kipimo.cli.rating;
