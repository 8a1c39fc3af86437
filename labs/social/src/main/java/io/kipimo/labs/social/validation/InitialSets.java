package io.kipimo.labs.social.validation;

/** Contents of the sets before the first write. */
@FunctionalInterface
public interface InitialSets {
    /** Its elements, ascending; the caller may keep them. */
    long[] elements(SetId set);
}
