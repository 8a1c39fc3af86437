package io.kipimo.labs.demos.admission;

import io.kipimo.embedded.process.Started;
import io.kipimo.embedded.watch.Progress;
import io.kipimo.examples.search.load.Calibration;
import io.kipimo.examples.search.load.Capacity;
import io.kipimo.examples.search.load.LoadGenerator;
import io.kipimo.examples.search.load.LoadTarget;
import io.kipimo.examples.search.load.TraceSettings;
import io.kipimo.examples.search.load.VocabularyClient;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import io.kipimo.labs.demos.enforcement.EnforcementKind;
import io.kipimo.labs.demos.enforcement.EnforcementPoint;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.simulator.report.Phrase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Kipimo's example search service, which embeds the SDK. */
final class DemoSearchService implements DemoService {
    /** Least admitted fraction of the low class if an enforcement point in front of the service sheds it. */
    private static final double FLOOR = 0.01;

    private final Started started;
    private final Progress progress;

    /** The first server. It also serves the requests that no enforcement point handles. */
    private SearchServiceProcess first;

    private Optional<EnforcementPoint> door = Optional.empty();

    private DemoSearchService(Progress progress) {
        this.progress = progress;
        started = new Started(progress::say);
    }

    /**
     * Starts the service.
     *
     * @param through enforcement point that sheds the low class
     * @param servers number of servers; if above 1, the enforcement point spreads the low class over them
     */
    static DemoService start(
            DemoSettings settings,
            EnforcementKind through,
            int servers,
            KafkaSettings kafka,
            Progress progress,
            Path directory)
            throws IOException {
        DemoSearchService service = new DemoSearchService(progress);
        try {
            service.startAll(settings, through, servers, kafka, directory);
        } catch (IOException | RuntimeException e) {
            service.close();
            throw e;
        }
        return service;
    }

    private void startAll(
            DemoSettings settings, EnforcementKind through, int servers, KafkaSettings kafka, Path directory)
            throws IOException {
        progress.say("starting the search service: Lucene over WordNet and Europarl, 4 partitions");
        List<String> arguments = new ArrayList<>(List.of(
                "--service=" + NAME,
                "--bootstrap-servers=" + kafka.bootstrapServers(),
                "--topic-prefix=" + kafka.topicPrefix(),
                "--deadline-millis=" + settings.deadlineMillis(),
                "--expiration-window-millis=" + settings.expirationWindowMillis(),
                "--sampling-rate=" + settings.samplingRate(),
                "--sheds-low=" + (through == EnforcementKind.SDK),
                "--index-cache=" + userCache(System.getenv("XDG_CACHE_HOME"), System.getProperty("user.home"))));
        kafka.properties().forEach((key, value) -> arguments.add("-P=" + key + "=" + value));
        SortedMap<String, Integer> lowPorts = new TreeMap<>();
        for (int i = servers; i >= 1; i--) {
            String name = NAME + "-" + i;
            List<String> named = Stream.concat(arguments.stream(), Stream.of("--server=" + name))
                    .toList();
            first = started.keep(SearchServiceProcess.start(named, directory.resolve(name + ".log")));
            lowPorts.put(name, first.ports().low());
        }
        if (through != EnforcementKind.SDK) {
            progress.say("starting the " + through.label() + " that sheds the low class");
            door = Optional.of(started.keep(EnforcementPoint.open(
                    through, new EnforcementPoint.Guarded(kafka, NAME, WayOfControl.LOW, FLOOR, lowPorts), directory)));
        }
        progress.say(Phrase.of(
                "%,d documents; high class at http://127.0.0.1:%d/search?q=…, low class at port %d",
                first.ready().documents(), first.ports().high(), lowPort()));
    }

    /**
     * Directory for files that a user's programs can make again (XDG Base Directory Specification).
     *
     * @param configured null or relative: the default, in the home directory
     */
    static Path userCache(String configured, String home) {
        boolean isGiven = configured != null && Path.of(configured).isAbsolute();
        return (isGiven ? Path.of(configured) : Path.of(home, ".cache")).resolve("kipimo");
    }

    private int lowPort() {
        return door.map(EnforcementPoint::port).orElseGet(() -> first.ports().low());
    }

    @Override
    public LoadTarget target() {
        return new LoadTarget(first.ports().high(), lowPort());
    }

    @Override
    public LoadGenerator generator() {
        return new LoadGenerator();
    }

    @Override
    public QueryWriter writer() throws IOException, InterruptedException {
        return new QueryWriter(VocabularyClient.fetch(first.ports().vocabulary()));
    }

    @Override
    public Capacity capacity(QueryWriter writer, QueryMix mix, long seed) throws InterruptedException {
        try (LoadGenerator generator = generator()) {
            return Calibration.THOROUGH.find(generator, first.ports().calibration(), writer, mix, seed);
        }
    }

    @Override
    public Duration setup() {
        return Duration.ofSeconds(86);
    }

    @Override
    public double highShare() {
        return TraceSettings.HIGH_SHARE;
    }

    @Override
    public int components() {
        return first.ready().components().size();
    }

    @Override
    public OptionalDouble admitted() {
        return door.map(d -> OptionalDouble.of(d.admitted())).orElseGet(OptionalDouble::empty);
    }

    @Override
    public double floor() {
        return door.isPresent() ? FLOOR : 0;
    }

    @Override
    public String description() {
        return "Two classes of queries share one search service. Every answer has a deadline: partitions that miss"
                + " it are missing from the answer. Kipimo samples answers, waits for the late partitions, and so"
                + " measures the quality of what was sent: the share of the best items that it has.";
    }

    @Override
    public List<String> notes() {
        return door.map(d -> List.of(d.figures())).orElseGet(List::of);
    }

    @Override
    public void close() {
        started.close();
    }
}
