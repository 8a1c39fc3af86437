package io.kipimo.labs.social.validation;

/**
 * A set that is read and written, such as the friends of a member.
 *
 * @param kind which of its owner's sets
 * @param owner whose it is
 */
public record SetId(int kind, long owner) {}
