/** Replays of queries. Read {@link io.kipimo.gateway.replay.Replayer}. */
package io.kipimo.gateway.replay;
