/**
 * Measures a query from its events after a peer has joined them by its own means. Read
 * {@link io.kipimo.bench.peer.PeerQuery} first.
 */
package io.kipimo.bench.peer;
