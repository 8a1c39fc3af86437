package io.kipimo.local;

import io.kipimo.cli.policy.PolicyDocument;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.Plain;
import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.embedded.watch.Progress;
import io.kipimo.gateway.Gateway;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.schemas.document.InvalidDocumentException;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code kipimo local}: starts Kipimo with Kafka, Redis and Flink on this machine. */
@Command(
        name = "local",
        description = {
            "Starts Kafka with Kipimo's topics, Redis, the quality, admission and tails jobs and the "
                    + "console on this machine, for a service that you are connecting, or with --engine a gateway in "
                    + "front of a search engine that runs. Runs until it is stopped, and then deletes all of its data.",
            "Listens on the loopback address only."
        },
        footer = {
            "  kipimo local --engine opensearch=127.0.0.1:9200",
            "                                               then point clients at the address it prints",
            "  kipimo policy example > search.yaml          edit it: the service, its classes",
            "  kipimo local --policy search.yaml            then start the service, with broker",
            "                                               127.0.0.1:9092",
            "  kipimo conform --bootstrap-servers 127.0.0.1:9092",
            "                                               what is wrong with what it emits"
        })
public final class LocalCommand extends ConsoleProgram {
    /** Greatest time to wait for the end. Parts of a failed broker may never end. */
    private static final Duration PATIENCE_AT_THE_END = Duration.ofSeconds(30);

    private static final int DEFAULT_BROKER_PORT = 9092;

    /** Preferred port of the gateway's health and metrics. If it is in use, any free port is taken. */
    private static final int ADMIN_PORT = 9901;

    /** Name of the gateway. */
    private static final String SERVER = "local";

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

    @Option(
            names = "--engine",
            paramLabel = "PRESET=HOST:PORT",
            description = "A search engine that runs, such as opensearch=127.0.0.1:9200 or "
                    + "opensearch=https://USER:PASSWORD@127.0.0.1:9200; repeatable. A gateway in front of it measures "
                    + "every query that comes through, and steers nothing. The password is used to see what the engine "
                    + "is; clients send their own.")
    private List<String> engines = List.of();

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "With --engine: PEM file of the authorities of https engines. Default: those of the JVM.")
    private Path authorities;

    @Option(
            names = "--insecure",
            description = "With --engine: trust any certificate of https engines, such as self-signed ones.")
    private boolean isInsecure;

    @Option(
            names = "--service",
            defaultValue = "search",
            paramLabel = "NAME",
            description = "With --engine: name of the service. Default: ${DEFAULT-VALUE}.")
    private String service;

    @Option(
            names = "--class",
            defaultValue = "default",
            paramLabel = "NAME",
            description = "With --engine: class of its queries. Default: ${DEFAULT-VALUE}.")
    private String queryClass;

    @Option(
            names = "--gateway-port",
            defaultValue = "8090",
            paramLabel = "N",
            description = "With --engine: port of the gateway for the first engine, the next ports for the others; 0 "
                    + "is any free ones. Default: ${DEFAULT-VALUE}.")
    private int gatewayPort;

    @Option(
            names = "--print",
            arity = "0..1",
            fallbackValue = ".",
            paramLabel = "DIR",
            description = "With --engine: write the two files that it uses, policy.yaml and gateway.yaml, and end. "
                    + "Default of DIR: the current one.")
    private Path print;

    public LocalCommand() {
        this(new CountDownLatch(1));
    }

    /** @param stopped latch that ends the command when its count is zero */
    LocalCommand(CountDownLatch stopped) {
        this.stopped = stopped;
    }

    @Override
    public Integer call() throws Exception {
        requirePort();
        requireFree("--broker-port", brokerPort);
        List<Policy> services = policies.stream().map(this::policy).toList();
        List<LocalEngine> measured = engines.stream().map(LocalEngine::parse).toList();
        require(!isInsecure || authorities == null, "--insecure and --ca are given; allowed: one of them");
        require(print == null || !measured.isEmpty(), "--engine is missing; allowed with --print: one or more");
        if (print != null) {
            return write(files(measured, "127.0.0.1:" + (brokerPort == 0 ? DEFAULT_BROKER_PORT : brokerPort)));
        }
        for (int i = 0; i < measured.size() && gatewayPort > 0; i++) {
            requireFree("--gateway-port", gatewayPort + i);
        }
        for (LocalEngine engine : measured) {
            requireThere(engine);
        }
        check(files(measured, "127.0.0.1:1"));
        Progress progress = new Progress(System.err, false);
        EmbeddedKafka.onFatal(this::fail);
        LocalPlatform platform = LocalPlatform.start(brokerPort, progress);
        Thread onInterrupt = new Thread(platform::close, "local-stop");
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        try (platform) {
            EngineFiles files = files(measured, platform.kafka().bootstrapServers());
            for (Policy policy : policies(services, files)) {
                PolicyStore.change(platform.kafka(), policy.service(), stored -> policy);
            }
            JsonObject addresses = new JsonObject();
            if (!measured.isEmpty()) {
                // Before the jobs, which read its records from the beginning.
                Gateway gateway = platform.keep(Gateway.start(ConfigFile.read(files.gateway(), null, SERVER)));
                addresses.put("gateway", clients(gateway.ports()));
                progress.say("the gateway serves; starting the console");
            }
            addresses.put("bootstrap-servers", platform.kafka().bootstrapServers());
            platform.redis().ifPresent(r -> addresses.put("redis", r.host() + ":" + r.port()));
            var console = platform.keep(new LocalConsole(port).open(platform.kafka(), progress));
            addresses.put("console", console.address());
            addresses.put("flink", platform.flinkAddress());
            print(addresses, measured);
            progress.say("starting the quality, admission and tails jobs");
            ControlJobs.start(platform);
            if (!measured.isEmpty()) {
                platform.keep(FirstRow.of(platform.kafka(), this::show));
            }
            progress.say("all started" + memory());
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

    private EngineFiles files(List<LocalEngine> measured, String bootstrapServers) {
        List<Integer> ports = IntStream.range(0, measured.size())
                .mapToObj(i -> gatewayPort == 0 ? 0 : gatewayPort + i)
                .toList();
        return new EngineFiles(
                service, queryClass, measured, trust(), bootstrapServers, ports, isFree(ADMIN_PORT) ? ADMIN_PORT : 0);
    }

    /**
     * Checks what only the readers of the files know: names, and whether an engine's preset needs more than an address.
     */
    private void check(EngineFiles files) {
        if (files.engines().isEmpty()) {
            return;
        }
        PolicyDocument.parse("--service and --class", files.policy());
        try {
            ConfigFile.read(files.gateway(), null, SERVER);
        } catch (InvalidDocumentException e) {
            throw new InputException("an address is not enough for this engine: " + e.getMessage()
                    + "; --print writes the files, for kipimo local --policy and kipimo gateway --config");
        }
    }

    private void requireThere(LocalEngine engine) throws InterruptedException {
        EngineTrust trust = trust();
        try {
            EngineSign.Found found = EngineSign.at(engine, trust);
            Optional<String> preset = found.preset();
            InputException.throwIf(
                    preset.isPresent() && !preset.get().equals(engine.preset()),
                    "--engine is '%s', and what answers there looks like %s; allowed: %s=%s"
                            .formatted(engine, preset.orElse(""), preset.orElse(""), engine.server()));
            InputException.throwIf(
                    found.isRefused() && engine.authorization().isPresent(),
                    "--engine is '%s', which refuses this user and password; allowed: those of a user of the engine"
                            .formatted(engine));
            if (preset.isEmpty()) {
                warn("cannot tell whether %s is %s; %s"
                        .formatted(
                                engine.server(),
                                engine.preset(),
                                found.isRefused()
                                        ? "it wants credentials, which clients send; with USER:PASSWORD@ before the "
                                                + "host it can be asked"
                                        : "it does not say"));
            }
        } catch (SSLException e) {
            throw new InputException(
                    "--engine is '%s', whose certificate is not trusted (%s); allowed: --ca FILE with the certificate "
                                    .formatted(engine, Plain.text(String.valueOf(e.getMessage())))
                            + "of its authority, --insecure, or another HOST if that is the wrong one");
        } catch (IOException e) {
            throw new InputException("--engine is '%s', and no engine answers there (%s); allowed: %s"
                    .formatted(
                            engine,
                            EngineSign.isUnknownHost(e)
                                    ? "no address of this host is known"
                                    : Plain.text(e.getMessage() == null ? "refused" : e.getMessage()),
                            !engine.isTls() && !(e instanceof ConnectException)
                                    ? "one that runs and speaks HTTP, or %s=https://%s if it speaks TLS"
                                            .formatted(engine.preset(), engine.address())
                                    : "one that runs and speaks HTTP"));
        }
    }

    private EngineTrust trust() {
        return new EngineTrust(isInsecure, Optional.ofNullable(authorities).map(Path::toAbsolutePath));
    }

    private void warn(String text) {
        spec.commandLine().getErr().println("kipimo: " + text);
        spec.commandLine().getErr().flush();
    }

    /** Returns the given policies, and a default policy if the engines' service has none. */
    private List<Policy> policies(List<Policy> given, EngineFiles files) {
        if (files.engines().isEmpty()
                || given.stream().anyMatch(p -> p.service().equals(service))) {
            return given;
        }
        return Stream.concat(
                        given.stream(),
                        Stream.of(PolicyDocument.parse(EngineFiles.POLICY, files.policy())
                                .policy()))
                .toList();
    }

    private int write(EngineFiles files) {
        List<Path> written = files.write(print);
        PrintWriter out = spec.commandLine().getOut();
        if (output.isDocument()) {
            output.print(
                    out,
                    new JsonObject()
                            .with("policy", written.get(0).toString())
                            .with("gateway", written.get(1).toString()));
        } else {
            out.println("kipimo local --policy " + written.get(0));
            out.println("kipimo gateway --config " + written.get(1) + "    in another terminal");
        }
        out.flush();
        return 0;
    }

    /** Addresses of the gateway's listeners, by name. */
    private static JsonObject clients(Map<String, Integer> ports) {
        JsonObject addresses = new JsonObject();
        ports.forEach((name, port) -> addresses.put(name, "http://127.0.0.1:" + port));
        return addresses;
    }

    private void show(Measurement first) {
        PrintWriter out = spec.commandLine().getOut();
        long seconds = ProcessHandle.current()
                .info()
                .startInstant()
                .map(start -> Duration.between(start, Instant.now()).toSeconds())
                .orElse(0L);
        if (output.isDocument()) {
            output.print(
                    out,
                    new JsonObject()
                            .with("query", first.queryId())
                            .with("seconds", seconds)
                            .with("completeness", first.completeness().name())
                            .with(
                                    "quality",
                                    first.scores().stream()
                                            .map(s -> List.of(s.low(), s.high()))
                                            .toList()));
        } else {
            out.println("First measured query, %s s after the start: %s".formatted(seconds, text(first)));
            out.println("  kipimo worst, doctor and tail quality say more, and so does the console.");
        }
        out.flush();
    }

    private static String text(Measurement measured) {
        String missing = measured.components().stream()
                .filter(c -> c.outcome() != Outcome.IN_TIME)
                .map(c -> ", " + c.component() + ' ' + c.outcome())
                .collect(Collectors.joining());
        return measured.scores().stream()
                        .findFirst()
                        .map(s -> s.low() == s.high()
                                ? String.format(Locale.ROOT, "quality %.2f (%s)", s.low(), s.metric())
                                : String.format(
                                        Locale.ROOT, "quality %.2f to %.2f (%s)", s.low(), s.high(), s.metric()))
                        .orElseGet(() -> "not measurable"
                                + measured.unmeasurable().map(u -> ": " + u).orElse(""))
                + missing;
    }

    private static String memory() {
        OptionalLong mebibytes = MemoryUse.mebibytes();
        return mebibytes.isPresent() ? ", in " + mebibytes.getAsLong() + " MiB of memory" : "";
    }

    /** Ends the command because of a fault. */
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

    private void print(JsonObject addresses, List<LocalEngine> measured) {
        PrintWriter out = spec.commandLine().getOut();
        if (output.isDocument()) {
            output.print(out, addresses);
        } else {
            out.println();
            addresses.forEach((name, address) -> {
                if (address instanceof Map<?, ?> listeners) {
                    listeners.forEach((engine, at) -> out.printf("  %-18s %s%n", "clients of " + engine, at));
                } else {
                    out.printf("  %-18s %s%n", name, address);
                }
            });
            out.println();
            out.println("For other commands: export KIPIMO_BOOTSTRAP_SERVERS=" + addresses.get("bootstrap-servers"));
            if (!measured.isEmpty()) {
                out.println("Send the clients' queries to the address above; the first measured one is shown here.");
            }
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

    private void requireFree(String option, int port) {
        require(port >= 0 && port <= 65_535, option + " is " + port + "; allowed: 0..65535");
        require(isFree(port), option + " is " + port + ", which is in use; allowed: a free port, or 0 for any");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
