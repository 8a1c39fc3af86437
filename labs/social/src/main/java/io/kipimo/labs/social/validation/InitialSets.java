package io.kipimo.labs.social.validation;

/** What the sets held before the first write. */
@FunctionalInterface
public interface InitialSets {
    /** Its elements, ascending; the caller may keep them. */
    long[] elements(SetId set);
}
