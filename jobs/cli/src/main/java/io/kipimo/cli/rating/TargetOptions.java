package io.kipimo.cli.rating;

import io.kipimo.cli.terminal.ArrivalFile;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.PlugIns;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.core.replication.RecordedArrivals;
import io.kipimo.loadgen.http.HttpTarget;
import io.kipimo.loadgen.http.HttpTargetSettings;
import io.kipimo.loadgen.memcached.MemcachedTarget;
import io.kipimo.loadgen.redis.RedisAddress;
import io.kipimo.loadgen.redis.RedisCommandTarget;
import io.kipimo.loadgen.workload.ReplayedTarget;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.loadgen.workload.TargetService;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Options of commands that load targets of any kind. */
final class TargetOptions {
    private static final String ALLOWED = "http[s]://HOST[:PORT][/PATH], redis[s]://[[user]:password@]host[:port][/db],"
            + " memcached://HOST[:PORT], command:COMMAND, or a scheme of a TargetService on KIPIMO_EXTRA_CLASSPATH";

    @Option(
            names = "--header",
            paramLabel = "NAME:VALUE",
            description = "Header of each request; repeatable; placeholders as in --target.")
    private List<String> headers = List.of();

    @Option(names = "--lines", paramLabel = "FILE", description = "File from which {line} takes a random line.")
    private Path lines;

    @Option(
            names = "--quality-header",
            paramLabel = "NAME",
            defaultValue = "kipimo-completeness",
            description = "Response header with the answer's quality, 0..1 or parts/whole, read if the"
                    + " agreement names quality; default: ${DEFAULT-VALUE}.")
    private String qualityHeader;

    @Option(
            names = "--time-out",
            paramLabel = "MS",
            defaultValue = "5000",
            description = "Time after which a request counts as failed; default: ${DEFAULT-VALUE}.")
    private long timeOutMillis;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "256",
            description = "Connections to a store, 1..1000, and so the most concurrent actions; "
                    + "default: ${DEFAULT-VALUE}.")
    private int connections;

    private final List<StoreWorkload> workloads = PlugIns.all(StoreWorkload.class, problem -> {});

    /** Installed workloads of stores, which have options of their own. */
    List<StoreWorkload> workloads() {
        return workloads;
    }

    @Option(
            names = "--request",
            paramLabel = "COMMAND",
            description = "redis://, memcached://: command to send, with placeholders as in --target,"
                    + " such as 'GET key-{random:1000}' or 'set k 0 0 2\\n{random:90}';"
                    + " default for Redis: the social workload.")
    private String request;

    @Option(
            names = "--replay",
            paramLabel = "FILE",
            description = "Open load: recorded arrivals in place of Poisson's, at each load's mean rate."
                    + " A line is SECONDS or SECONDS,REQUEST; {recorded} is the request.")
    private String replay;

    /** Tells whether recorded arrivals are replayed. */
    boolean isReplay() {
        return replay != null;
    }

    @Option(
            names = "--command-time-out",
            paramLabel = "TIME",
            defaultValue = "5m",
            description = "command: time after which an experiment has hung; plug-ins: a step between"
                    + " experiments; default: ${DEFAULT-VALUE}.")
    private String commandTimeOut;

    /**
     * Time after which a command, or a plug-in's step, counts as hung.
     *
     * @throws InputException naming the option
     */
    long commandTimeOutMillis() {
        return TimeSpan.parse("--command-time-out", commandTimeOut).toMillis();
    }

    /**
     * Checks the options and returns a supplier that opens the target.
     *
     * @throws InputException naming the invalid option
     */
    Supplier<Target> target(String url) {
        boolean isAsked = Stream.of(url, String.valueOf(request), String.join(" ", headers))
                .anyMatch(text -> text.contains("{recorded}"));
        if (replay == null) {
            InputException.throwIf(isAsked, "--replay is missing; allowed with {recorded}: a file of arrivals");
            return plain(url);
        }
        RecordedArrivals recorded = ArrivalFile.read(replay);
        boolean inAuthority = url.matches("https?://[^/?#]*\\{recorded}.*");
        InputException.throwIf(inAuthority, "--target is '" + url + "'; allowed: {recorded} after the host and a /");
        InputException.throwIf(
                isAsked && !recorded.hasTexts(),
                "--replay " + replay + " has times without requests; allowed with {recorded}: SECONDS,REQUEST");
        Supplier<Target> plain = plain(url);
        return () -> new ReplayedTarget(plain.get(), recorded);
    }

    private Supplier<Target> plain(String url) {
        int colon = url.indexOf(':');
        String scheme = colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
        List<String> unusable = new ArrayList<>();
        Optional<TargetService> service =
                PlugIns.first(TargetService.class, plugIn -> scheme.equals(plugIn.scheme()), unusable::add);
        if (service.isPresent()) {
            long timeOut = commandTimeOutMillis();
            return () -> new PlugInTarget(service.get(), url, timeOut);
        }
        switch (scheme) {
            case "http", "https" -> {
                HttpTargetSettings settings = settings(url);
                return () -> new HttpTarget(settings);
            }
            case "redis", "rediss" -> {
                Target store = request == null
                        ? workload(scheme).target(url, connections)
                        : new RedisCommandTarget(RedisAddress.of(url), request, readLines(), connections);
                return () -> store;
            }
            case "memcached" -> {
                InputException.throwIf(
                        request == null,
                        "--request is missing; allowed with memcached://: a command, such as 'get key-{random:1000}'");
                Target store = new MemcachedTarget(url, request, readLines(), timeOutMillis);
                return () -> store;
            }
            default ->
                throw new InputException("--target is '%s'; allowed: %s%s"
                        .formatted(url, ALLOWED, unusable.isEmpty() ? "" : "; not usable: " + unusable));
        }
    }

    /**
     * Settings of an HTTP target.
     *
     * @throws InputException naming the invalid option
     */
    private HttpTargetSettings settings(String url) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String header : headers) {
            int colon = header.indexOf(':');
            InputException.throwIf(colon < 1, "--header is '" + header + "'; allowed: NAME:VALUE");
            pairs.put(
                    header.substring(0, colon).strip(),
                    header.substring(colon + 1).strip());
        }
        return new HttpTargetSettings(url, pairs, readLines(), qualityHeader, timeOutMillis);
    }

    /** Lines of the file from which {line} takes one; none without a file. */
    private List<String> readLines() {
        return lines == null ? List.of() : InputFile.lines(lines.toString(), "values for {line}, one a line");
    }

    private StoreWorkload workload(String scheme) {
        return workloads.stream()
                .filter(workload -> workload.takes(scheme))
                .findFirst()
                .orElseThrow(() -> new InputException("--request is missing; allowed with " + scheme
                        + ":// where no workload is installed: a command, such as 'GET key-{random:1000}'"));
    }

    /** The target's address for printing, without a store's password. */
    static String shown(String url) {
        return url.toLowerCase(Locale.ROOT).matches("rediss?://.*")
                ? RedisAddress.of(url).toString()
                : url;
    }
}
