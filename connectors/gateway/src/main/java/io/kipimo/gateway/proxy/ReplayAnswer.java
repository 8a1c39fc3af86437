package io.kipimo.gateway.proxy;

import io.kipimo.gateway.record.Demand;
import io.kipimo.gateway.record.RecordedResponse;
import java.util.Optional;

/**
 * Answer of a front end to a replay.
 *
 * @param demand what the answer must have
 * @param response empty: too large to be kept
 */
public record ReplayAnswer(int status, Demand demand, Optional<RecordedResponse> response) {}
