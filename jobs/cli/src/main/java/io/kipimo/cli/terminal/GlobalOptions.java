package io.kipimo.cli.terminal;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.logging.log4j.core.config.Configurator;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options of every command: settings of the log, and the context that provides defaults of other options. */
public final class GlobalOptions {
    /** Name of this mixin at the root command. */
    public static final String NAME = "global";

    /** Options that are followed by a value. */
    public static final Set<String> WITH_VALUE = Set.of("--log-level", "--log-format", "--context");

    private static final List<String> LEVELS = List.of("error", "warn", "info", "debug", "trace");
    private static final List<String> FORMATS = List.of("text", "json");

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            scope = ScopeType.INHERIT,
            description = "error, warn, info, debug or trace. Default: warn")
    private String level;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            scope = ScopeType.INHERIT,
            description = "Log lines on stderr: text, or json, one object a line. Default: text")
    private String format;

    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            description = "Print causes with their stack traces, of errors and in the log.")
    private boolean verbose;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            scope = ScopeType.INHERIT,
            description = "Saved defaults of brokers and other addresses; see kipimo context. Default: "
                    + "KIPIMO_CONTEXT, or the one in use.")
    private String context;

    /** Returns the global options of the root command of {@code spec}. */
    public static GlobalOptions of(CommandSpec spec) {
        CommandSpec mixin = spec.root().mixins().get(NAME);
        return mixin == null ? new GlobalOptions() : (GlobalOptions) mixin.userObject();
    }

    /** Tells whether {@code --context} was given. */
    public boolean isContextGiven() {
        return context != null;
    }

    /** Name of the context that an option or the environment names; empty if the context in use applies. */
    public Optional<String> context() {
        return Optional.ofNullable(context)
                .or(() -> Optional.ofNullable(System.getenv("KIPIMO_CONTEXT")))
                .filter(name -> !name.isBlank());
    }

    /**
     * Configures the log.
     *
     * @throws InputException if an option has a value that is not allowed
     */
    public void apply() {
        if (level == null && format == null && !verbose) {
            return;
        }
        if (level != null) {
            String known = allowed("--log-level", level, LEVELS);
            System.setProperty("kipimo.log.level", known);
            if (LEVELS.indexOf(known) >= LEVELS.indexOf("debug")) {
                System.setProperty("kipimo.log.kafka", known);
            }
        }
        if (format != null) {
            System.setProperty("kipimo.log.format", allowed("--log-format", format, FORMATS));
        }
        if (verbose) {
            System.setProperty("kipimo.log.cause", "full");
        }
        Configurator.reconfigure();
    }

    private static String allowed(String option, String value, List<String> all) {
        String lower = value.toLowerCase(Locale.ROOT);
        InputException.throwIf(
                !all.contains(lower), option + " is '" + value + "'; allowed: " + String.join(", ", all));
        return lower;
    }

    /** Prints the stack trace of a failure, with its causes, if {@code --verbose} was given. */
    void printCauses(Throwable failure, PrintWriter err) {
        if (verbose) {
            failure.printStackTrace(err);
            err.flush();
        }
    }
}
