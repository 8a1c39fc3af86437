/**
 * Finds the components whose responses are worth keeping for replays, and the best sampling rate (Ubora, sec. 6.5), by
 * trials with real queries. Read {@link io.kipimo.gateway.profile.Profiler} first.
 */
package io.kipimo.gateway.profile;
