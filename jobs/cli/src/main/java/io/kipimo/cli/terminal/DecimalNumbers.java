package io.kipimo.cli.terminal;

import java.util.function.Function;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Numbers of options and parameters: decimal ASCII digits only. Java also reads hexadecimal and
 * octal numbers, digits of other scripts and suffixes of its own, which users rarely mean. Commands
 * check ranges, NaN and infinities among them.
 */
public final class DecimalNumbers {
    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,19}");
    private static final Pattern REAL =
            Pattern.compile(
                    "[+-]?(?:NaN|Infinity|(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?)");
    private static final int LONGEST = 400;

    private DecimalNumbers() {}

    /** Makes a command and its subcommands read numbers in this way. */
    public static void register(CommandLine command) {
        ITypeConverter<Integer> ints =
                whole(Integer::valueOf, Integer.MIN_VALUE, Integer.MAX_VALUE);
        ITypeConverter<Long> longs = whole(Long::valueOf, Long.MIN_VALUE, Long.MAX_VALUE);
        ITypeConverter<Double> doubles =
                text -> {
                    if (text.length() > LONGEST || !REAL.matcher(text).matches()) {
                        throw refused(text, "a number such as 0.5");
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

    private static <N> ITypeConverter<N> whole(Function<String, N> parse, long least, long most) {
        return text -> {
            try {
                if (WHOLE.matcher(text).matches()) {
                    return parse.apply(text);
                }
            } catch (NumberFormatException e) {
                // Too large: told below.
            }
            throw refused(text, "a whole number " + least + ".." + most);
        };
    }

    private static TypeConversionException refused(String text, String allowed) {
        return new TypeConversionException("is '" + text + "'; allowed: " + allowed);
    }
}
