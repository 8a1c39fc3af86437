package io.kipimo.cli.gateway;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.redis.RedisAddressOptions;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.HostPort;
import io.kipimo.cli.terminal.UntilStopped;
import io.kipimo.duplicates.DuplicateProxy;
import io.kipimo.duplicates.OrderedLog;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kipimo duplicate}: serves one of several Redis servers that do the same work. */
@Command(
        name = "duplicate",
        description = {
            "Serves one of several Redis that all do the same work, so that the fastest answers: applies the writes "
                    + "of a log to it in their order, and answers reads. After a gap it answers no reads until it "
                    + "has caught up. Runs until it is stopped.",
            "",
            "docs/duplicates.md describes how clients use it."
        },
        footer = {
            "  kipimo duplicate --bootstrap-servers kafka:9092 --create --redis localhost:6379",
            "  kipimo predict --samples times.txt --tau 5 --duplicates 2   what two would bring"
        })
public final class DuplicateCommand extends KafkaCommand {
    @Mixin
    private RedisAddressOptions redis;

    @Option(
            names = "--topic",
            defaultValue = "kipimo.ordered-writes",
            paramLabel = "NAME",
            description = "Topic of the writes, with one partition and no compaction. Default: ${DEFAULT-VALUE}")
    private String topic;

    @Option(
            names = "--create",
            description = "Create the topic if it does not exist. It keeps its records for ever, with the"
                    + " broker's default replication factor.")
    private boolean create;

    @Option(
            names = "--listen",
            defaultValue = "127.0.0.1:8082",
            paramLabel = "HOST:PORT",
            description = "Address for clients, /readyz and /metrics; port 0 is any free port. Default:"
                    + " ${DEFAULT-VALUE}")
    private String listen;

    @Option(
            names = "--patience-millis",
            defaultValue = "" + DuplicateProxy.Duplicating.PATIENCE_MILLIS,
            paramLabel = "N",
            description = "Milliseconds until a silent Redis counts as failed, 1..60000. Default: ${DEFAULT-VALUE}")
    private int patienceMillis;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Address address = HostPort.parse("--listen", listen);
        KafkaSettings brokers = kafka.named();
        DuplicateProxy.Duplicating settings =
                new DuplicateProxy.Duplicating(brokers, topic, redis.named(), address, patienceMillis);
        if (create) {
            OrderedLog.create(brokers, topic, (short) 0);
        }
        try (UntilStopped stop = new UntilStopped("duplicate");
                DuplicateProxy proxy = DuplicateProxy.start(settings)) {
            String url = "http://" + address.host() + ':' + proxy.port();
            output.print(
                    () -> Map.of("url", url, "topic", topic),
                    out -> out.println("a duplicate of " + topic + " is at " + url));
            stop.await();
        }
        return ExitCodes.FINE;
    }
}
