package io.kipimo.examples.local;

import io.kipimo.cli.policy.PolicyDocument;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.examples.console.DemoConsole;
import io.kipimo.examples.console.DemoProgram;
import io.kipimo.examples.platform.ControlJobs;
import io.kipimo.examples.platform.LocalPlatform;
import io.kipimo.harness.kafka.EmbeddedKafka;
import io.kipimo.harness.watch.Progress;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code kipimo local}. */
@Command(
        name = "local",
        mixinStandardHelpOptions = true,
        description = {
            "Starts Kafka with Kipimo's topics, Redis, the quality, admission and tails jobs and the "
                    + "console on this machine, for a service that you are connecting. Runs until it "
                    + "is stopped, and then deletes all of its data.",
            "Listens on the loopback address only."
        },
        footer = {
            "",
            "Examples:",
            "  kipimo policy example > search.yaml          edit it: the service, its classes",
            "  kipimo local --policy search.yaml            then start the service, with broker",
            "                                               127.0.0.1:9092",
            "  kipimo conform --bootstrap-servers 127.0.0.1:9092",
            "                                               what is wrong with what it emits"
        })
public final class LocalCommand extends DemoProgram {
    /** Parts of a broker that has failed may never end. */
    private static final Duration PATIENCE_AT_THE_END = Duration.ofSeconds(30);

    private final CountDownLatch stopped;
    private final AtomicReference<String> fault = new AtomicReference<>();

    @Mixin
    private OutputOption output;

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "A policy to publish, YAML or JSON; repeatable, one for each service. Without one, "
                    + "use kipimo policy set while this runs.")
    private List<String> policies = List.of();

    @Option(
            names = "--broker-port",
            defaultValue = "9092",
            paramLabel = "N",
            description = "Port of the broker; 0 is any free one. Default: ${DEFAULT-VALUE}.")
    private int brokerPort;

    public LocalCommand() {
        this(new CountDownLatch(1));
    }

    /** @param stopped ends the command at zero */
    LocalCommand(CountDownLatch stopped) {
        this.stopped = stopped;
    }

    @Override
    public Integer call() throws Exception {
        requirePort();
        require(brokerPort >= 0 && brokerPort <= 65_535, "--broker-port is " + brokerPort + "; allowed: 0..65535");
        require(
                isFree(brokerPort),
                "--broker-port is " + brokerPort + ", which is in use; allowed: a free port, or 0 for any");
        List<Policy> services = policies.stream().map(this::policy).toList();
        Progress progress = new Progress(System.err, false);
        EmbeddedKafka.onFatal(this::fail);
        LocalPlatform platform = LocalPlatform.start(brokerPort, progress);
        Thread onInterrupt = new Thread(platform::close, "local-stop");
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        try (platform) {
            for (Policy policy : services) {
                PolicyStore.change(platform.kafka(), policy.service(), stored -> policy);
            }
            var console = platform.keep(new DemoConsole(port).open(platform.kafka(), progress));
            progress.say("starting Flink with the quality, admission and tails jobs");
            ControlJobs.start(platform);
            Map<String, String> addresses = new LinkedHashMap<>();
            addresses.put("bootstrap-servers", platform.kafka().bootstrapServers());
            platform.redis().ifPresent(r -> addresses.put("redis", r.host() + ":" + r.port()));
            addresses.put("console", console.address());
            addresses.put("flink", platform.flinkAddress());
            print(addresses);
            stopped.await();
            if (fault.get() != null) {
                progress.say("the broker cannot go on: " + fault.get() + "; is the disk full? Everything ends");
                haltAfter(PATIENCE_AT_THE_END);
            }
        } finally {
            forget(onInterrupt);
        }
        return fault.get() == null ? 0 : 1;
    }

    /** Ends the command. */
    void fail(String message) {
        fault.compareAndSet(null, message);
        stopped.countDown();
    }

    private static void haltAfter(Duration patience) {
        Thread last = new Thread(
                () -> {
                    try {
                        Thread.sleep(patience.toMillis());
                    } catch (InterruptedException e) {
                        return;
                    }
                    Runtime.getRuntime().halt(1);
                },
                "local-end");
        last.setDaemon(true);
        last.start();
    }

    private static void forget(Thread onInterrupt) {
        try {
            Runtime.getRuntime().removeShutdownHook(onInterrupt);
        } catch (IllegalStateException e) {
            // It runs.
        }
    }

    private void print(Map<String, String> addresses) {
        PrintWriter out = spec.commandLine().getOut();
        if (output.isDocument()) {
            output.print(out, addresses);
        } else {
            out.println();
            addresses.forEach((name, address) -> out.printf("  %-18s %s%n", name, address));
            out.println();
            out.println("For other commands: export KIPIMO_BOOTSTRAP_SERVERS=" + addresses.get("bootstrap-servers"));
            out.println("Ctrl-C stops everything and deletes its data.");
        }
        out.flush();
    }

    private Policy policy(String file) {
        try {
            return PolicyDocument.parse(file, InputFile.text(file)).policy();
        } catch (InputException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
