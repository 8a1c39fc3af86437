package io.kipimo.labs.social.validation;

/** Contents of the sets before the first write. */
@FunctionalInterface
public interface InitialSets {
    /** Elements of a set, ascending. The caller may keep the array. */
    long[] elements(SetId set);
}
