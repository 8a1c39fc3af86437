package io.kipimo.cli.rating;

import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;

/** Adds the options of workloads to a command that loads targets. */
final class WorkloadOptions implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec command) {
        command.mixins().values().stream()
                .map(CommandSpec::userObject)
                .filter(TargetOptions.class::isInstance)
                .map(TargetOptions.class::cast)
                .flatMap(options -> options.workloads().stream())
                .toList()
                .forEach(workload ->
                        command.addMixin(workload.getClass().getName(), CommandSpec.forAnnotatedObject(workload)));
        return command;
    }
}
