package io.kipimo.examples.search;

import io.kipimo.examples.search.component.QueueOrder;
import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.frontend.FrontEndSettings;
import io.kipimo.examples.search.frontend.KipimoTelemetry;
import io.kipimo.examples.search.frontend.Telemetry;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.ServerReporter;
import io.kipimo.sdk.ServerReports;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The search service as a process. It prints one line {@code READY {"high": PORT, …}} when it serves. It runs until it
 * is stopped or its standard input ends, which happens when the parent process is gone.
 */
@Command(
        name = "search-service",
        description = "A search service over four partitions, measured by Kipimo",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
public final class SearchServiceMain implements Callable<Integer> {
    @Option(names = "--service", defaultValue = "search", description = "name on the topics")
    private String service;

    @Option(names = "--server", description = "name on the topics; default: SERVICE-PID")
    private String server;

    @Option(names = "--bootstrap-servers", description = "Kafka, HOST:PORT,…; without it nothing is measured or shed")
    private String bootstrapServers;

    @Option(names = "--topic-prefix", defaultValue = Topic.DEFAULT_PREFIX)
    private String topicPrefix;

    @Option(names = "-P", description = "property of Kafka clients, KEY=VALUE")
    private Map<String, String> properties = Map.of();

    @Option(names = "--high-port", defaultValue = "0", description = "0: any free port")
    private int highPort;

    @Option(names = "--low-port", defaultValue = "0", description = "0: any free port")
    private int lowPort;

    @Option(names = "--calibration-port", defaultValue = "0", description = "0: any free port")
    private int calibrationPort;

    @Option(names = "--vocabulary-port", defaultValue = "0", description = "0: any free port")
    private int vocabularyPort;

    @Option(names = "--deadline-millis", defaultValue = "30", description = "from the intended start to the answer")
    private long deadlineMillis;

    @Option(
            names = "--expiration-window-millis",
            defaultValue = "2000",
            description = "from the start; later results are not reported")
    private long expirationWindowMillis;

    @Option(names = "--top-k", defaultValue = "20", description = "items in an answer")
    private int topK;

    @Option(
            names = "--sampling-rate",
            defaultValue = "0.2",
            description = "share of queries until a decision sets a rate, 0..1")
    private double samplingRate;

    @Option(
            names = "--profiling-share",
            defaultValue = "1",
            description = "share of the complete sampled queries that is profiled, 0..1")
    private double profilingShare;

    @Option(
            names = "--low-floor",
            defaultValue = "0.01",
            description = "least admitted fraction of the low class, above 0, at most 1")
    private double lowFloor;

    @Option(
            names = "--sheds-low",
            arity = "1",
            defaultValue = "true",
            description = "false: an enforcement point in front sheds the low class")
    private boolean shedsLow;

    @Option(
            names = "--queue-capacity",
            defaultValue = "64",
            description = "unsampled queries that may wait at a component")
    private int queueCapacity;

    @Option(
            names = "--queue-order",
            defaultValue = "ARRIVAL",
            description = "which waiting query a component serves next: ${COMPLETION-CANDIDATES}")
    private QueueOrder queueOrder;

    @Option(names = "--index-cache", description = "directory that keeps the index for the next start; default: none")
    private Path indexCache;

    @Option(
            names = "--fan-out",
            description = "ask fewer components of a query where the policy allows it and a model is published")
    private boolean fanOut;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new SearchServiceMain()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        String name = server == null ? service + "-" + ProcessHandle.current().pid() : server;
        FrontEndSettings settings = new FrontEndSettings(
                service, name, Duration.ofMillis(deadlineMillis), Duration.ofMillis(expirationWindowMillis), topK);
        PartitionedIndex index = PartitionedIndex.skewed(Corpus.load(), Optional.ofNullable(indexCache));
        Optional<KafkaSettings> kafka =
                Optional.ofNullable(bootstrapServers).map(b -> new KafkaSettings(b, topicPrefix, properties));
        Optional<Kipimo> kipimo = kafka.map(k -> connect(name, k));
        Optional<ServerReports> reports = kafka.map(ServerReports::connect);
        SearchService search = SearchService.start(
                index,
                settings,
                new SearchService.Ports(highPort, lowPort, calibrationPort, vocabularyPort),
                queueCapacity,
                queueOrder,
                shedsLow,
                kipimo.<Telemetry>map(k -> new KipimoTelemetry(k, fanOut)).orElse(Telemetry.NONE),
                who -> reports.map(r -> r.of(who)).orElseGet(() -> ServerReporter.silent(who)));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            search.close();
            reports.ifPresent(ServerReports::close);
            kipimo.ifPresent(Kipimo::close);
        }));
        System.out.println(Ready.of(search, index.documents()).toLine());
        while (System.in.read() >= 0) {
            // Ignore input; only the end of the stream matters.
        }
        return 0;
    }

    private Kipimo connect(String name, KafkaSettings kafka) {
        return Kipimo.connect(KipimoConfig.builder(service, name, kafka)
                .initialSamplingRate(samplingRate)
                .profilingShare(profilingShare)
                .queryClass(SearchService.HIGH, ClassDefaults.ALL)
                .queryClass(SearchService.LOW, ClassDefaults.sheddable(lowFloor))
                .build());
    }
}
