/**
 * Reports of servers every second, and the statistics of tails and capacity computed from them (sPARE, sec. V). Read
 * {@link io.kipimo.schemas.tails.ServerObservation} first, then {@link io.kipimo.schemas.tails.TailWindow}.
 */
package io.kipimo.schemas.tails;
