package io.kipimo.cli.kafka;

import io.kipimo.cli.terminal.PrintingCommand;
import picocli.CommandLine.Mixin;

/** A command that connects to brokers. */
public abstract class KafkaCommand extends PrintingCommand {
    @Mixin
    protected BrokerOptions kafka;
}
