package io.kipimo.sdk.internal.control;

import io.kipimo.schemas.document.Section;
import io.kipimo.sdk.ClassDefaults;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads the keys that all files have that describe a measured service. */
public final class ServiceSection {
    private static final int MOST_NAME = 256;

    private ServiceSection() {}

    /** Returns {@code value}, and reports it if it cannot be a name in measurements. */
    public static String name(Section section, String key, String value) {
        if (value.length() > MOST_NAME
                || value.indexOf('/') >= 0
                || value.chars().anyMatch(Character::isISOControl)) {
            section.refuse(key, value, "1.." + MOST_NAME + " characters, no '/', no control characters");
        }
        return value;
    }

    /** Reads key {@code classes}; without it, there is one class, {@code default}. */
    public static Map<String, ClassDefaults> classes(Section root) {
        Map<String, ClassDefaults> classes = new LinkedHashMap<>();
        root.section("classes", all -> {
            for (String name : all.names()) {
                all.section(name, one -> classDefaults(one))
                        .ifPresent(read -> classes.put(name(all, name, name), read));
            }
            return classes;
        });
        if (classes.isEmpty()) {
            classes.put("default", ClassDefaults.ALL);
        }
        return classes;
    }

    private static Optional<ClassDefaults> classDefaults(Section one) {
        double floor = one.number("floor", 1, 0, 1);
        double ceiling = one.number("ceiling", 1, 0, 1);
        double safe = one.number("safe", ceiling, 0, 1);
        return one.make(() -> new ClassDefaults(safe, floor, ceiling));
    }
}
