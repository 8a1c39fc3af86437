package io.kipimo.core.invalidation;

import java.util.List;

/**
 * Effect of a write on a window.
 *
 * @param changes at most one REMOVE and then at most one ADD, or one CHANGE or CHANGE_INDEX; records that shift as a
 *     consequence are not listed. Empty if the window is used up.
 * @param isUsedUp whether the known records no longer fill the window although there may be more: the result is stale,
 *     and the query must be evaluated again
 */
public record WindowUpdate(List<WindowChange> changes, boolean isUsedUp) {
    static final WindowUpdate NONE = new WindowUpdate(List.of(), false);
    static final WindowUpdate USED_UP = new WindowUpdate(List.of(), true);

    public WindowUpdate {
        changes = List.copyOf(changes);
    }
}
