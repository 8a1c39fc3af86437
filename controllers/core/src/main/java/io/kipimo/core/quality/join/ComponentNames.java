package io.kipimo.core.quality.join;

import java.util.Map;

/** Bounds the size of tables by component name, because names come from the data. */
final class ComponentNames {
    /** Limit of components of a table; further ones are not recorded. */
    static final int MOST_COMPONENTS = 2_000;

    private ComponentNames() {}

    /** Whether the table may hold an entry of this name. */
    static boolean hasRoom(Map<String, ?> table, String name) {
        return table.size() < MOST_COMPONENTS || table.containsKey(name);
    }
}
