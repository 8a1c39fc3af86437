package io.kipimo.jobs.options;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.util.TimeUtils;

/**
 * An option with its allowed values.
 *
 * @param allowed the allowed values as text for users, for example {@code 0 ms..10 min}
 * @param check tells whether a value is allowed
 */
public record BoundedOption<T>(ConfigOption<T> option, String description, String allowed, OptionCheck<T> check) {

    /** Tells whether a value of an option is allowed. */
    public interface OptionCheck<T> {
        boolean allows(T value);
    }

    public String key() {
        return option.key();
    }

    /** Reads the value or its default. Adds a problem if it is missing, cannot be parsed or is not allowed. */
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

    /** Formats a value in the notation of options. Durations are not in ISO's notation. */
    public static String printable(Object value) {
        return value instanceof Duration duration ? TimeUtils.formatWithHighestUnit(duration) : String.valueOf(value);
    }

    /** The configured text, even if it cannot be parsed. */
    private String text(ReadableConfig config) {
        return config.getOptional(ConfigOptions.key(key()).stringType().noDefaultValue())
                .orElse("");
    }
}
