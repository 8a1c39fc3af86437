package io.kipimo.core.invalidation;

/**
 * One step by which a write changes a {@link SortedWindow}. All steps of a write, in order, turn the window before the
 * write into the window after it.
 *
 * @param recordId record that the step moves; it can differ from the written record
 * @param fromIndex index in the window before the step, from 0; -1 for ADD
 * @param toIndex index in the window after the step, from 0; -1 for REMOVE
 */
public record WindowChange(ChangeKind kind, String recordId, int fromIndex, int toIndex) {}
