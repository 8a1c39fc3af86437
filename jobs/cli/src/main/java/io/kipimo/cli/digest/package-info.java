/** Compares two quality jobs on one log. Read {@link io.kipimo.cli.digest.RowDigests} first. */
package io.kipimo.cli.digest;
