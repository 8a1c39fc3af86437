package io.kipimo.cli.rating;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.DecimalNumbers;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.loadgen.topics.LoadAgent;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kipimo loadgen}: runs a load generator for the rating job. */
@Command(
        name = "loadgen",
        modelTransformer = WorkloadOptions.class,
        description = {
            "Runs its share of the load of the rating job's experiments, until it is stopped. It "
                    + "loads only the targets that are named here.",
            "",
            "Placeholders in the URL and in headers: {user}, {request}, {random:N}, {line}, {micros}."
        },
        footer = {
            "  kipimo loadgen --target 'search=http://localhost:8080/search?q={line}' --lines"
                    + " queries.txt --bootstrap-servers localhost:9092",
            "  kipimo loadgen --name west-1 --target 'shop=https://shop.example/item/{random:1000}'"
        })
public final class LoadgenCommand extends KafkaCommand {
    @Option(
            names = "--target",
            required = true,
            paramLabel = "NAME=URL",
            description = "A target that may be loaded; repeatable.")
    private Map<String, String> urls = new LinkedHashMap<>();

    @Option(names = "--name", paramLabel = "NAME", description = "Unique name of this generator. Default: a new one.")
    private String name;

    @Mixin
    private TargetOptions options;

    @Override
    public Integer call() throws InterruptedException {
        DecimalNumbers.requireAtLeast0(spec);
        Map<String, Supplier<Target>> settings = new LinkedHashMap<>();
        urls.forEach((target, url) -> {
            InputException.throwIf(target.isBlank(), "--target is '=" + url + "'; allowed: NAME=URL");
            settings.put(target, options.target(url));
        });
        KafkaSettings broker = kafka.connect(Topic.EXPERIMENTS);
        String called = name == null ? "loadgen-" + UUID.randomUUID() : name;
        Map<String, Target> targets = new LinkedHashMap<>();
        settings.forEach((target, opening) -> targets.put(target, opening.get()));
        try (LoadAgent agent = LoadAgent.start(broker, called, targets)) {
            output.print(
                    () -> Map.of("generator", called, "targets", targets.keySet()),
                    out -> out.println(called + " follows experiments on " + targets.keySet()));
            agent.join();
        } finally {
            targets.values().forEach(Target::close);
        }
        return ExitCodes.FINE;
    }
}
