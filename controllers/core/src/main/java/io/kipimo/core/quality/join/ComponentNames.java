package io.kipimo.core.quality.join;

import java.util.Map;

/** Tables by component: a name in the data must not fill the state. */
final class ComponentNames {
    /** Of what is beyond, nothing is known. */
    static final int MOST_COMPONENTS = 2_000;

    private ComponentNames() {}

    /** Whether the table may hold an entry of this name. */
    static boolean hasRoom(Map<String, ?> table, String name) {
        return table.size() < MOST_COMPONENTS || table.containsKey(name);
    }
}
