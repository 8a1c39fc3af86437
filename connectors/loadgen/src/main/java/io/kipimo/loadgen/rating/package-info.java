/**
 * A rating whose load generators are in this process: no log is needed. Read {@link
 * io.kipimo.loadgen.rating.LocalRating} first.
 */
package io.kipimo.loadgen.rating;
