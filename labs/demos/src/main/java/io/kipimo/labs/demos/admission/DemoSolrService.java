package io.kipimo.labs.demos.admission;

import io.kipimo.embedded.watch.Progress;
import io.kipimo.examples.search.load.Calibration;
import io.kipimo.examples.search.load.Capacity;
import io.kipimo.examples.search.load.LoadGenerator;
import io.kipimo.examples.search.load.LoadTarget;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import io.kipimo.labs.demos.solr.SolrBehindGateway;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.simulator.report.Phrase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/** A SolrCloud behind the gateway. */
record DemoSolrService(SolrBehindGateway solr, int timeAllowedMillis) implements DemoService {
    /**
     * Load share of the high class. It is larger than for the faster search service, so that there are enough queries.
     */
    private static final double HIGH_SHARE = 0.25;

    /** Calibration with a long warm-up. A JVM with Solr keeps getting faster for longer than the search service. */
    private static final Calibration CALIBRATION = new Calibration(32, 70, 6, 0.1, 90);

    /**
     * Starts SolrCloud and the gateway.
     *
     * @param module the directory {@code target} of {@code itests/solr}
     */
    static DemoService start(DemoSettings settings, Path module, KafkaSettings kafka, Progress progress, Path directory)
            throws IOException, InterruptedException {
        progress.say("starting SolrCloud, and the gateway that sheds the low class");
        SolrBehindGateway solr = SolrBehindGateway.start(
                module,
                NAME,
                kafka,
                new SolrBehindGateway.SolrSettings(
                        settings.samplingRate(), settings.expirationWindowMillis(), settings.topK(), Integer.MAX_VALUE),
                directory);
        progress.say(Phrase.of(
                "%,d documents; high class at http://127.0.0.1:%d%sq=…, low class at port %d",
                solr.documents(),
                solr.ports().highPort(),
                SolrBehindGateway.SELECT,
                solr.ports().lowPort()));
        return new DemoSolrService(solr, settings.deadlineMillis());
    }

    @Override
    public LoadTarget target() {
        return solr.ports();
    }

    @Override
    public LoadGenerator generator() {
        return new LoadGenerator(SolrBehindGateway.SELECT + "timeAllowed=" + timeAllowedMillis + "&q=");
    }

    @Override
    public QueryWriter writer() {
        return new QueryWriter(solr.vocabulary());
    }

    @Override
    public Capacity capacity(QueryWriter writer, QueryMix mix, long seed) throws InterruptedException {
        try (LoadGenerator unlimited = new LoadGenerator(SolrBehindGateway.SELECT + "q=")) {
            return CALIBRATION.find(unlimited, solr.nodePort(), writer, mix, seed);
        }
    }

    @Override
    public Duration setup() {
        return Duration.ofSeconds(150);
    }

    @Override
    public double highShare() {
        return HIGH_SHARE;
    }

    @Override
    public int components() {
        return 1;
    }

    @Override
    public OptionalDouble admitted() {
        return OptionalDouble.of(solr.admitted());
    }

    @Override
    public double floor() {
        return SolrBehindGateway.FLOOR;
    }

    @Override
    public String description() {
        return Phrase.of(
                "Two classes of queries share one SolrCloud (%d nodes, %d shards), which knows nothing of Kipimo. "
                        + "Every query allows it %d ms; then Solr stops its own work and answers with what it has. "
                        + "The gateway in front of it sheds the low class, and runs some of the high class' cut queries "
                        + "again without the limit: the share of the best items that the cut answer had is its quality.",
                SolrBehindGateway.NODES, SolrBehindGateway.SHARDS, timeAllowedMillis);
    }

    @Override
    public List<String> notes() {
        double queries = high("query_seconds_total");
        double replays = high("replay_seconds_total");
        return List.of(
                Phrase.of(
                        "High class, with the warm-up: Solr cut %.0f of %.0f answers. The gateway ran %.0f sampled ones again; %.0f "
                                + "more had no replay in time. The replays took %.1f s, which is %.1f %% of the queries' "
                                + "%.0f s (budget %.0f %%).",
                        high("responses_cut_total"),
                        high("requests_total"),
                        solr.counted("replays_total"),
                        solr.counted("replays_failed_total"),
                        replays,
                        queries == 0 ? 0 : 100 * replays / queries,
                        queries,
                        100 * SolrBehindGateway.REPLAY_BUDGET),
                Phrase.of(
                        "The gateway shed %.0f queries of the low class.",
                        solr.counted("shed_by_admission_total", WayOfControl.LOW)));
    }

    private double high(String counter) {
        return solr.counted(counter, WayOfControl.HIGH);
    }

    @Override
    public void close() {
        solr.close();
    }
}
