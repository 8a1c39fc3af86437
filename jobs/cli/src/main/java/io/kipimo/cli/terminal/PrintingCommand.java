package io.kipimo.cli.terminal;

import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that prints a result, for people or for programs. */
public abstract class PrintingCommand implements Callable<Integer> {
    @Spec
    protected CommandSpec spec;

    @Mixin
    protected OutputOption output;
}
