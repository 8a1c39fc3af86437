package io.kipimo.cli.help;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes a command's man page in roff, with the macros of man(7). */
final class ManPage {
    private final StringBuilder roff = new StringBuilder();
    private final CommandSpec spec;

    private ManPage(CommandLine command) {
        this.spec = command.getCommandSpec();
    }

    /** Name of a command's page, such as {@code kipimo-policy-set}. */
    static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-");
    }

    static String of(CommandLine command) {
        ManPage page = new ManPage(command);
        page.write(command);
        return page.roff.toString();
    }

    private void write(CommandLine command) {
        String[] description = spec.usageMessage().description();
        roff.append(".TH \"").append(name(command).toUpperCase(Locale.ROOT)).append("\" \"1\"\n");
        section("NAME");
        line(name(command) + " - " + sentence(description));
        section("SYNOPSIS");
        line(new Help(spec, Help.defaultColorScheme(Ansi.OFF)).synopsis(0).strip());
        section("DESCRIPTION");
        paragraphs(description);
        if (!spec.positionalParameters().isEmpty()) {
            section("PARAMETERS");
            for (PositionalParamSpec parameter : spec.positionalParameters()) {
                item(parameter.paramLabel(), parameter);
            }
        }
        section("OPTIONS");
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                item(
                        String.join(", ", option.names()) + (option.arity().max() > 0 ? "=" + option.paramLabel() : ""),
                        option);
            }
        }
        if (!spec.subcommands().isEmpty()) {
            section("COMMANDS");
            spec.subcommands().values().stream()
                    .filter(sub -> !(sub.getCommand() instanceof CommandLine.HelpCommand))
                    .distinct()
                    .forEach(sub -> {
                        roff.append(".TP\n");
                        line(name(sub) + "(1)");
                        line(sentence(sub.getCommandSpec().usageMessage().description()));
                    });
        }
        section("EXIT STATUS");
        line("0: done, or the answer is yes. 1: the answer is no. 2: wrong usage or input. 3: too little is known.");
        if (spec.usageMessage().footer().length > 0) {
            section("EXAMPLES");
            roff.append(".nf\n");
            Arrays.stream(spec.usageMessage().footer()).forEach(this::line);
            roff.append(".fi\n");
        }
    }

    private void section(String title) {
        roff.append(".SH \"").append(title).append("\"\n");
    }

    private void item(String term, ArgSpec argument) {
        roff.append(".TP\n");
        line(term);
        line(plain(String.join(" ", argument.description())));
    }

    private void paragraphs(String[] texts) {
        for (String text : texts) {
            if (text.isBlank()) {
                roff.append(".PP\n");
            } else {
                line(plain(text));
            }
        }
    }

    private static String sentence(String[] description) {
        String all = plain(Arrays.stream(description).collect(joining(" ")));
        int end = all.indexOf(". ");
        return end < 0 ? all : all.substring(0, end);
    }

    private static String plain(String text) {
        return Ansi.OFF.string(text.replace("%n", " ").replace("%%", "%")).strip();
    }

    /** Writes a line of text. Escapes a leading dot or quote, because roff would take it as a macro. */
    private void line(String text) {
        for (String each : text.split("\\R")) {
            roff.append(each.startsWith(".") || each.startsWith("'") ? "\\&" : "")
                    .append(each.codePoints().mapToObj(ManPage::escaped).collect(joining()))
                    .append('\n');
        }
    }

    /**
     * Escapes a character for roff. Characters outside ASCII become numbers, because roff readers differ in their
     * encodings.
     */
    private static String escaped(int character) {
        return switch (character) {
            case '\\' -> "\\e";
            case '-' -> "\\-";
            default ->
                character < 128 ? Character.toString(character) : String.format(Locale.ROOT, "\\[u%04X]", character);
        };
    }
}
