package io.kipimo.gateway.config;

import io.kipimo.schemas.field.Range;

/**
 * Response that stands for a component that a query does not ask.
 *
 * @param type content type of the body
 * @param body as a component with no results would send it
 */
public record EmptyResponse(@Range(least = 200, most = 299) int status, String type, String body) {
    static final EmptyResponse DEFAULT = new EmptyResponse(200, "application/json", "");
}
