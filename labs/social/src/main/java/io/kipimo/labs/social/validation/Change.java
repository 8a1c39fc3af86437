package io.kipimo.labs.social.validation;

/**
 * What a write does to one set. Two writes that change the same element of the same set must not
 * overlap.
 *
 * @param add whether the element comes; else it goes
 */
public record Change(SetId set, long element, boolean add) {}
