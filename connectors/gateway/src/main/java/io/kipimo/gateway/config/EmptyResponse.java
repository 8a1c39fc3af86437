package io.kipimo.gateway.config;

import io.kipimo.schemas.field.Range;

/**
 * What a component that is not asked for a query is taken to answer.
 *
 * @param type of the content
 * @param body as a component with no results would send it
 */
public record EmptyResponse(@Range(least = 200, most = 299) int status, String type, String body) {
    static final EmptyResponse DEFAULT = new EmptyResponse(200, "application/json", "");
}
