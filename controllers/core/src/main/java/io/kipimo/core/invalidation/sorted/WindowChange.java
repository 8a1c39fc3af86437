package io.kipimo.core.invalidation.sorted;

import io.kipimo.core.invalidation.change.ChangeKind;

/**
 * A step that makes the window before a write the window after it, if all steps of the write are
 * done in order.
 *
 * @param recordId that the step moves; not always the record that was written
 * @param fromIndex in the window before the step, from 0; -1 for ADD
 * @param toIndex in the window after the step, from 0; -1 for REMOVE
 */
public record WindowChange(ChangeKind kind, String recordId, int fromIndex, int toIndex) {}
