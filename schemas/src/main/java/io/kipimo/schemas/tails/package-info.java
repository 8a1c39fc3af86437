/**
 * What servers report of themselves every second, and the statistics of tails and capacity that
 * follow (sPARE, sec. V). Read {@link io.kipimo.schemas.tails.ServerObservation} first, then {@link
 * io.kipimo.schemas.tails.TailWindow}.
 */
package io.kipimo.schemas.tails;
