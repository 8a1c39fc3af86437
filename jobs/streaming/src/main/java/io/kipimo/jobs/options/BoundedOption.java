package io.kipimo.jobs.options;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.util.TimeUtils;

/**
 * An option with what is allowed for it.
 *
 * @param allowed for people, for example {@code 0 ms..10 min}
 * @param check whether a value is allowed
 */
public record BoundedOption<T>(
        ConfigOption<T> option, String description, String allowed, Check<T> check) {

    /** Whether a value lies within what is allowed. */
    public interface Check<T> {
        boolean allows(T value);
    }

    public String key() {
        return option.key();
    }

    /**
     * The value; a problem is added to {@code problems}, and the default or null returned, if it is
     * not allowed.
     */
    T read(ReadableConfig config, List<String> problems) {
        T value;
        try {
            Optional<T> set = config.getOptional(option);
            if (set.isEmpty() && !option.hasDefaultValue()) {
                problems.add(key() + " is not set; allowed: " + allowed);
                return null;
            }
            value = set.orElseGet(option::defaultValue);
        } catch (IllegalArgumentException e) {
            problems.add(key() + " is '" + text(config) + "'; allowed: " + allowed);
            return option.defaultValue();
        }
        if (!check.allows(value)) {
            problems.add(key() + " is " + printable(value) + "; allowed: " + allowed);
        }
        return value;
    }

    /** A value as people write it: ISO durations are not. */
    public static String printable(Object value) {
        return value instanceof Duration duration
                ? TimeUtils.formatWithHighestUnit(duration)
                : String.valueOf(value);
    }

    /** As it was written, whatever it should have been. */
    private String text(ReadableConfig config) {
        return config.getOptional(ConfigOptions.key(key()).stringType().noDefaultValue())
                .orElse("");
    }
}
