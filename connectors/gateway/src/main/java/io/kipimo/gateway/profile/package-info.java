/**
 * Which components' responses are worth keeping for replays, and how many queries are worth
 * sampling (Ubora, sec. 6.5): tried out on real queries. Read {@link
 * io.kipimo.gateway.profile.Profiler} first.
 */
package io.kipimo.gateway.profile;
