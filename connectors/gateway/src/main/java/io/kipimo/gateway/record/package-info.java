/**
 * Recording of sampled queries without changes to the service (Ubora, sec. 6.3): which components answered in time or
 * late, and their results.
 *
 * <p>Read {@link io.kipimo.gateway.record.QueryRecorder} first; {@link io.kipimo.gateway.record.FrontQuery} is one
 * query, {@link io.kipimo.gateway.record.MemoCache} holds responses for its replay.
 */
package io.kipimo.gateway.record;
