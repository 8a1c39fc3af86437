package io.kipimo.jobs.options;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.util.TimeUtils;

/** Builders of options: one expression each. */
final class Options {
    private Options() {}

    static BoundedOption<Duration> duration(
            String key, Duration byDefault, Duration least, Duration most, String description) {
        return new BoundedOption<>(
                ConfigOptions.key(key).durationType().defaultValue(byDefault),
                description,
                TimeUtils.formatWithHighestUnit(least) + ".." + TimeUtils.formatWithHighestUnit(most),
                v -> v.compareTo(least) >= 0 && v.compareTo(most) <= 0);
    }

    static BoundedOption<Integer> integer(String key, int byDefault, int least, int most, String description) {
        return new BoundedOption<>(
                ConfigOptions.key(key).intType().defaultValue(byDefault),
                description,
                least + ".." + most,
                v -> v >= least && v <= most);
    }

    static BoundedOption<Double> number(String key, double byDefault, double least, double most, String description) {
        return new BoundedOption<>(
                ConfigOptions.key(key).doubleType().defaultValue(byDefault),
                description,
                least + ".." + most,
                v -> v >= least && v <= most);
    }

    /** Text that matches a pattern; without a default ({@code byDefault} null) it must be set. */
    static BoundedOption<String> text(
            String key, String byDefault, String pattern, String allowed, String description) {
        var builder = ConfigOptions.key(key).stringType();
        ConfigOption<String> option = byDefault == null ? builder.noDefaultValue() : builder.defaultValue(byDefault);
        return new BoundedOption<>(option, description, allowed, v -> v.matches(pattern));
    }

    static <E extends Enum<E>> BoundedOption<E> oneOf(String key, Class<E> type, E byDefault, String description) {
        return new BoundedOption<>(
                ConfigOptions.key(key).enumType(type).defaultValue(byDefault),
                description,
                Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", ")),
                v -> true);
    }

    static BoundedOption<Boolean> flag(String key, boolean byDefault, String description) {
        return new BoundedOption<>(
                ConfigOptions.key(key).booleanType().defaultValue(byDefault), description, "true, false", v -> true);
    }
}
