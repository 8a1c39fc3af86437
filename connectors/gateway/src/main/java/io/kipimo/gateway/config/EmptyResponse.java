package io.kipimo.gateway.config;

/**
 * What a component that is not asked for a query is taken to answer.
 *
 * @param status 200..299
 * @param type of the content
 * @param body as a component with no results would send it
 */
public record EmptyResponse(int status, String type, String body) {}
