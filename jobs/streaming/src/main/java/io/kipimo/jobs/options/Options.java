package io.kipimo.jobs.options;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.util.TimeUtils;

/** Creates and collects the options of a group. One expression creates each option. */
final class Options {
    private final List<BoundedOption<?>> all = new ArrayList<>();

    /** All options of the group, in the order in which they were added. */
    List<BoundedOption<?>> all() {
        return List.copyOf(all);
    }

    /** Adds an option, which may also belong to another group. */
    <T> BoundedOption<T> with(BoundedOption<T> option) {
        all.add(option);
        return option;
    }

    BoundedOption<Duration> duration(
            String key, Duration byDefault, Duration least, Duration most, String description) {
        return with(new BoundedOption<>(
                ConfigOptions.key(key).durationType().defaultValue(byDefault),
                description,
                TimeUtils.formatWithHighestUnit(least) + ".." + TimeUtils.formatWithHighestUnit(most),
                v -> v.compareTo(least) >= 0 && v.compareTo(most) <= 0));
    }

    BoundedOption<Integer> integer(String key, int byDefault, int least, int most, String description) {
        return with(new BoundedOption<>(
                ConfigOptions.key(key).intType().defaultValue(byDefault),
                description,
                least + ".." + most,
                v -> v >= least && v <= most));
    }

    BoundedOption<Double> number(String key, double byDefault, double least, double most, String description) {
        return with(new BoundedOption<>(
                ConfigOptions.key(key).doubleType().defaultValue(byDefault),
                description,
                least + ".." + most,
                v -> v >= least && v <= most));
    }

    /** Adds an option with text that matches a pattern. If {@code byDefault} is null, the option must be set. */
    BoundedOption<String> text(String key, String byDefault, String pattern, String allowed, String description) {
        var builder = ConfigOptions.key(key).stringType();
        ConfigOption<String> option = byDefault == null ? builder.noDefaultValue() : builder.defaultValue(byDefault);
        return with(new BoundedOption<>(option, description, allowed, v -> v.matches(pattern)));
    }

    <E extends Enum<E>> BoundedOption<E> oneOf(String key, Class<E> type, E byDefault, String description) {
        return with(new BoundedOption<>(
                ConfigOptions.key(key).enumType(type).defaultValue(byDefault),
                description,
                Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", ")),
                v -> true));
    }

    BoundedOption<Boolean> flag(String key, boolean byDefault, String description) {
        return with(new BoundedOption<>(
                ConfigOptions.key(key).booleanType().defaultValue(byDefault), description, "true, false", v -> true));
    }
}
