package io.kipimo.cli.topics;

import java.util.LinkedHashMap;
import java.util.Map;

/** Parts of documents for other programs. */
final class Documents {
    private Documents() {}

    /** A map in this order, of keys and values by turns. */
    static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }
}
