/**
 * What is kept of sampled queries without the service knowing (Ubora, sec. 6.3): which component
 * answered in time, which late, and with what.
 *
 * <p>Read {@link io.kipimo.gateway.record.QueryRecorder} first; {@link
 * io.kipimo.gateway.record.FrontQuery} is one query, {@link io.kipimo.gateway.record.MemoCache}
 * holds responses for its replay.
 */
package io.kipimo.gateway.record;
