package io.kipimo.gateway.proxy;

import io.kipimo.gateway.record.RecordedResponse;
import java.util.Optional;

/**
 * What a front end said to a query that was run once more.
 *
 * @param response empty: it was too large to be kept
 */
public record ReplayAnswer(int status, Optional<RecordedResponse> response) {}
