package io.kipimo.labs.reproductions;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Says in which settings an experiment differs from the product's defaults. */
final class Defaults {
    private Defaults() {}

    /**
     * A sentence that lists the settings that differ, also within nested records, or says that none does. It begins
     * with a space.
     *
     * @param defaults of the same type as {@code used}
     */
    static String difference(Record defaults, Record used) {
        List<String> all = new ArrayList<>();
        add(all, "", defaults, used);
        return all.isEmpty()
                ? " All settings are the defaults."
                : " Differs from the defaults: " + String.join(", ", all) + ".";
    }

    private static void add(List<String> all, String path, Record defaults, Record used) {
        for (RecordComponent component : defaults.getClass().getRecordComponents()) {
            Object theirs = value(component, defaults);
            Object ours = value(component, used);
            if (theirs instanceof Record one && ours instanceof Record other && one.getClass() == other.getClass()) {
                add(all, path + component.getName() + ".", one, other);
            } else if (!Objects.equals(theirs, ours)) {
                all.add(path + component.getName() + " " + ours + " (default " + theirs + ")");
            }
        }
    }

    private static Object value(RecordComponent component, Record of) {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
