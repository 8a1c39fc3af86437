package io.kipimo.cli.gateway;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.sdk.ClassDefaults;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Classes that an adapter sheds. */
final class ClassOptions {
    private static final Pattern CLASS =
            Pattern.compile("([A-Za-z0-9._-]{1,64})(?::(\\d*\\.?\\d+)(?::(\\d*\\.?\\d+))?)?");

    @Option(
            names = "--class",
            paramLabel = "NAME[:FLOOR[:SAFE]]",
            description = "A class that may be shed, its least fraction, and its fraction without a"
                    + " decision; repeatable. Default: 0.01 and 1")
    private List<String> classes = List.of();

    /**
     * By name, in the order given; empty: none were.
     *
     * @throws InputException if one cannot be read
     */
    Map<String, ClassDefaults> defaults() {
        Map<String, ClassDefaults> defaults = new LinkedHashMap<>();
        for (String text : classes) {
            Matcher form = CLASS.matcher(text);
            if (!form.matches()) {
                throw new InputException("--class is '" + text + "'; allowed: NAME, NAME:0.01, NAME:0.01:0.5");
            }
            double floor = form.group(2) == null ? 0.01 : Double.parseDouble(form.group(2));
            double safe = form.group(3) == null ? 1 : Double.parseDouble(form.group(3));
            defaults.put(form.group(1), new ClassDefaults(safe, floor, 1));
        }
        return defaults;
    }
}
