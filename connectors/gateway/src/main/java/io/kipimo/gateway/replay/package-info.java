/** Queries that are run once more. Read {@link io.kipimo.gateway.replay.Replayer}. */
package io.kipimo.gateway.replay;
