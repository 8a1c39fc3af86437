package io.kipimo.cli;

import io.kipimo.cli.advice.BudgetCommand;
import io.kipimo.cli.advice.DeadlineCommand;
import io.kipimo.cli.advice.FanOutCommand;
import io.kipimo.cli.advice.GateCommand;
import io.kipimo.cli.advice.WorstCommand;
import io.kipimo.cli.caching.CacheTruthCommand;
import io.kipimo.cli.caching.ChangesCommand;
import io.kipimo.cli.caching.FilterCommand;
import io.kipimo.cli.caching.PurgeCommand;
import io.kipimo.cli.conform.ConformCommand;
import io.kipimo.cli.console.ConsoleCommand;
import io.kipimo.cli.context.ContextCommand;
import io.kipimo.cli.doctor.DoctorCommand;
import io.kipimo.cli.doctor.StatusCommand;
import io.kipimo.cli.export.ExportCommand;
import io.kipimo.cli.gateway.DuplicateCommand;
import io.kipimo.cli.gateway.EnvoyCommand;
import io.kipimo.cli.gateway.GatewayCommand;
import io.kipimo.cli.gateway.HaproxyCommand;
import io.kipimo.cli.gateway.OtlpCommand;
import io.kipimo.cli.gateway.ProfileCommand;
import io.kipimo.cli.help.CompletionCommand;
import io.kipimo.cli.help.ManCommand;
import io.kipimo.cli.policy.OverrideCommand;
import io.kipimo.cli.policy.PolicyCommand;
import io.kipimo.cli.rating.LoadgenCommand;
import io.kipimo.cli.rating.RateCommand;
import io.kipimo.cli.replication.CollisionCommand;
import io.kipimo.cli.replication.PlanCommand;
import io.kipimo.cli.replication.PredictCommand;
import io.kipimo.cli.run.RunCommand;
import io.kipimo.cli.run.SubmitCommand;
import io.kipimo.cli.schema.SchemaCommand;
import io.kipimo.cli.score.ScoreCommand;
import io.kipimo.cli.simulate.ReproduceCommand;
import io.kipimo.cli.simulate.SimulateCommand;
import io.kipimo.cli.terminal.DecimalNumbers;
import io.kipimo.cli.terminal.Errors;
import io.kipimo.cli.terminal.GlobalOptions;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.topics.TailCommand;
import io.kipimo.cli.topics.TopicsCommand;
import io.kipimo.cli.whatif.ExplainCommand;
import io.kipimo.cli.whatif.WhatIfCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;

/** The command {@code kipimo}. */
@Command(
        name = "kipimo",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Main.BuildVersion.class,
        description = {
            "Measures the answer quality of a scatter-gather service while it serves users, and "
                    + "controls the service by it."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ScoreCommand.class,
            PredictCommand.class,
            PlanCommand.class,
            CollisionCommand.class,
            RateCommand.class,
            LoadgenCommand.class,
            SimulateCommand.class,
            ReproduceCommand.class,
            DeadlineCommand.class,
            GateCommand.class,
            BudgetCommand.class,
            WorstCommand.class,
            FanOutCommand.class,
            WhatIfCommand.class,
            ExplainCommand.class,
            TopicsCommand.class,
            TailCommand.class,
            ExportCommand.class,
            ConformCommand.class,
            DoctorCommand.class,
            StatusCommand.class,
            PolicyCommand.class,
            OverrideCommand.class,
            PurgeCommand.class,
            FilterCommand.class,
            CacheTruthCommand.class,
            ChangesCommand.class,
            GatewayCommand.class,
            OtlpCommand.class,
            HaproxyCommand.class,
            EnvoyCommand.class,
            DuplicateCommand.class,
            ProfileCommand.class,
            ConsoleCommand.class,
            RunCommand.class,
            SubmitCommand.class,
            ContextCommand.class,
            SchemaCommand.class,
            CompletionCommand.class,
            ManCommand.class,
            HelpCommand.class
        })
public final class Main {
    @Mixin(name = GlobalOptions.NAME)
    private final GlobalOptions global = new GlobalOptions();

    private Main() {}

    public static void main(String[] args) {
        CommandLine command = commandLine();
        command.setOut(writer(FileDescriptor.out));
        command.setErr(writer(FileDescriptor.err));
        int exitCode = command.execute(args);
        command.getOut().flush();
        command.getErr().flush();
        System.exit(exitCode);
    }

    /** The command with all its subcommands. */
    public static CommandLine commandLine() {
        Main main = new Main();
        CommandLine command = new CommandLine(main);
        Errors errors = new Errors();
        DecimalNumbers.register(command);
        headExamples(command.getCommandSpec());
        return command.setExecutionExceptionHandler(errors)
                .setExecutionStrategy(parsed -> {
                    try {
                        main.global.apply();
                    } catch (InputException e) {
                        return errors.handleExecutionException(e, command, parsed);
                    }
                    return new RunLast().execute(parsed);
                })
                .setParameterExceptionHandler(errors)
                // A query id may begin with '@'.
                .setExpandAtFiles(false)
                .setUsageHelpWidth(100)
                .setUsageHelpAutoWidth(true)
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    /** Says of each command's examples what they are; other footers begin with an empty line. */
    private static void headExamples(CommandSpec spec) {
        String[] footer = spec.usageMessage().footer();
        if (footer.length > 0 && !footer[0].isEmpty()) {
            spec.usageMessage().footerHeading("%nExamples:%n");
        }
        spec.subcommands().values().forEach(command -> headExamples(command.getCommandSpec()));
    }

    /** Writes UTF-8, because the platform's encoding may lack characters of names. */
    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
    }

    /** Reads the version that the build recorded. */
    static final class BuildVersion implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            try (InputStream in = Main.class.getResourceAsStream("version.txt")) {
                String version = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
                return new String[] {"kipimo " + version};
            }
        }
    }
}
