package io.kipimo.labs.social.validation;

/**
 * A set that is read and written, such as a member's friends.
 *
 * @param kind kind of the owner's set
 * @param owner the member or resource
 */
public record SetId(int kind, long owner) {}
