/**
 * What a peer computes of a query's events once it has joined them by its own means. Read
 * {@link io.kipimo.bench.peer.PeerQuery} first.
 */
package io.kipimo.bench.peer;
