package io.kipimo.cli.terminal;

import io.kipimo.schemas.field.Decimals;
import io.kipimo.schemas.field.Names;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/**
 * Makes options and parameters accept numbers in decimal ASCII digits only. Java also reads hexadecimal and octal
 * numbers, digits of other scripts and its own suffixes, which users rarely mean. NaN and infinities are accepted here;
 * commands refuse them when they check ranges.
 */
public final class DecimalNumbers {
    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,19}");
    private static final Pattern NO_NUMBER = Pattern.compile("[+-]?(?:NaN|Infinity)");
    private static final int MOST_SHOWN = 60;

    private DecimalNumbers() {}

    /** Registers these converters of numbers for a command and its subcommands. */
    public static void register(CommandLine command) {
        ITypeConverter<Integer> ints = whole(Integer::valueOf, "an int", Integer.MIN_VALUE, Integer.MAX_VALUE);
        ITypeConverter<Long> longs = whole(Long::valueOf, "a long", Long.MIN_VALUE, Long.MAX_VALUE);
        ITypeConverter<Double> doubles = text -> {
            if (!Decimals.isDecimal(text) && !NO_NUMBER.matcher(text).matches()) {
                throw refused(text, "a double", "a number such as 0.5");
            }
            return Double.valueOf(text);
        };
        command.registerConverter(int.class, ints)
                .registerConverter(Integer.class, ints)
                .registerConverter(long.class, longs)
                .registerConverter(Long.class, longs)
                .registerConverter(double.class, doubles)
                .registerConverter(Double.class, doubles);
    }

    private static <N> ITypeConverter<N> whole(Function<String, N> parse, String type, long least, long most) {
        return text -> {
            try {
                if (WHOLE.matcher(text).matches()) {
                    return parse.apply(text);
                }
            } catch (NumberFormatException e) {
                // Too large: told below.
            }
            throw refused(text, type, "a whole number " + least + ".." + most);
        };
    }

    private static TypeConversionException refused(String text, String type, String allowed) {
        String shown = Names.shortened(text, MOST_SHOWN, "…");
        return new TypeConversionException("'" + shown + "' is not " + type + "; allowed: " + allowed);
    }

    /**
     * Checks options of a command, even those that the command does not use, such as options for another target.
     *
     * @param names names of the options; none: all options that take a double
     * @throws InputException if a value is not finite, or below 0
     */
    public static void requireAtLeast0(CommandSpec command, String... names) {
        for (OptionSpec option : command.options()) {
            if ((names.length == 0 || List.of(names).contains(option.longestName()))
                    && option.getValue() instanceof Double value
                    && !(value >= 0 && value <= Double.MAX_VALUE)) {
                throw new InputException(
                        option.longestName() + " is " + value + "; allowed: a finite number, at least 0");
            }
        }
    }
}
