package io.kipimo.core.invalidation.sorted;

import java.util.List;

/**
 * What a write does to a window.
 *
 * @param changes at most one REMOVE and then at most one ADD, or one CHANGE or CHANGE_INDEX; what
 *     moves up or down because of them is not named. Empty if the window is used up.
 * @param isUsedUp the records that are known no longer fill the window, though there may be more:
 *     its result is stale, and the query must be evaluated again
 */
public record WindowUpdate(List<WindowChange> changes, boolean isUsedUp) {
    static final WindowUpdate NONE = new WindowUpdate(List.of(), false);
    static final WindowUpdate USED_UP = new WindowUpdate(List.of(), true);

    public WindowUpdate {
        changes = List.copyOf(changes);
    }
}
