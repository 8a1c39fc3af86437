package io.kipimo.labs.social.validation;

/**
 * The effect of a write on one set. Two writes of the same element of the same set must not overlap.
 *
 * @param add whether the element is added; otherwise removed
 */
public record Change(SetId set, long element, boolean add) {}
