package io.kipimo.labs.demos.solr;

import io.kipimo.embedded.process.FreePorts;
import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.corpus.CorpusDocument;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.index.Vocabulary;
import io.kipimo.examples.search.load.LoadTarget;
import io.kipimo.harness.solr.SolrCloud;
import io.kipimo.labs.demos.enforcement.GatewayProcess;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A SolrCloud with the documents of the example search service, and the gateway in front of it. The gateway has a
 * listener for class {@code high}, which is never shed, and one for class {@code low}. Cut queries of the high class
 * are run again. Cut queries of the low class are not, since its quality has no objective.
 */
public record SolrBehindGateway(
        SolrCloud solr, GatewayProcess gateway, LoadTarget ports, Corpus corpus, Vocabulary vocabulary)
        implements AutoCloseable {
    public static final int NODES = 2;
    public static final int SHARDS = 4;

    /** First part of a query's target; further parameters follow it. */
    public static final String SELECT = "/solr/docs/select?wt=json&rows=10&shards.tolerant=true&";

    /** Lower bound of the low class's admitted fraction, which holds for every decision. */
    public static final double FLOOR = 0.01;

    /** Greatest time of replays, as a share of the time of the high class's queries. */
    public static final double REPLAY_BUDGET = 0.2;

    /**
     * Settings of the measurement and of the index.
     *
     * @param samplingRate share of the queries that are sampled, 0..1
     * @param expirationMillis window in which a replay counts
     * @param documents most documents of the corpus that are indexed, evenly spread
     */
    public record SolrSettings(double samplingRate, long expirationMillis, int topK, int documents) {}

    /**
     * Starts SolrCloud and the gateway. Returns when both ports answer.
     *
     * @param module the directory {@code target} of {@code itests/solr}
     * @param service name of the service in policies and records
     * @param directory for the gateway's files
     */
    public static SolrBehindGateway start(
            Path module, String service, KafkaSettings kafka, SolrSettings settings, Path directory)
            throws IOException, InterruptedException {
        SolrCloud solr = SolrCloud.start(module, NODES, SHARDS, 0, List.of("-Xmx1536m"));
        try {
            Corpus corpus = some(Corpus.load().documents(), settings.documents());
            index(corpus, solr);
            Vocabulary vocabulary = PartitionedIndex.skewed(corpus).vocabulary();
            int[] free = FreePorts.distinct(3);
            LoadTarget ports = new LoadTarget(free[0], free[1]);
            GatewayProcess gateway = GatewayProcess.start(
                    config(service, kafka, settings, solr.ports(), ports, free[2]),
                    List.of(ports.highPort(), ports.lowPort()),
                    free[2],
                    directory);
            return new SolrBehindGateway(solr, gateway, ports, corpus, vocabulary);
        } catch (IOException | InterruptedException | RuntimeException e) {
            solr.close();
            throw e;
        }
    }

    private static Corpus some(List<CorpusDocument> all, int most) {
        int step = (all.size() - 1) / most + 1;
        return new Corpus(IntStream.iterate(0, i -> i < all.size(), i -> i + step)
                .mapToObj(all::get)
                .toList());
    }

    private static void index(Corpus corpus, SolrCloud solr) throws IOException, InterruptedException {
        solr.index(corpus.documents(), (document, json) -> json.put("id", Long.toString(document.id()))
                .put("text", document.title() + "\n" + document.text()));
    }

    private static String config(
            String service,
            KafkaSettings kafka,
            SolrSettings settings,
            List<Integer> nodes,
            LoadTarget ports,
            int adminPort) {
        String each = """
                    role: front
                    engine: solr
                    servers: %s
                    top-k: %d
                    trusted-callers: [127.0.0.1]
                    limit: {enabled: false}
                """.formatted(
                nodes.stream().map(port -> "'127.0.0.1:" + port + "'").collect(Collectors.joining(", ", "[", "]")),
                settings.topK());
        return """
        service: %s
        server: gateway
        admin: 127.0.0.1:%d
        threads: 1
        kafka: {bootstrap-servers: '%s', topic-prefix: '%s'}
        sampling: {rate: %s}
        record: {expiration: %dms}
        classes: {high: {floor: 1}, low: {floor: %s}}
        listeners:
          - name: high
            class: high
            listen: 127.0.0.1:%d
            replay: {budget: %s}
        %s  - name: low
            class: low
            listen: 127.0.0.1:%d
            replay: {when: never}
        %s""".formatted(
                        service,
                        adminPort,
                        kafka.bootstrapServers(),
                        kafka.topicPrefix(),
                        settings.samplingRate(),
                        settings.expirationMillis(),
                        FLOOR,
                        ports.highPort(),
                        REPLAY_BUDGET,
                        each,
                        ports.lowPort(),
                        each);
    }

    /** Port of a Solr node, for requests that bypass the gateway. */
    public int nodePort() {
        return solr.ports().get(0);
    }

    public int documents() {
        return corpus.documents().size();
    }

    /**
     * A counter of the gateway, summed over both listeners; NaN: unknown.
     *
     * @param name after {@code kipimo_gateway_}
     */
    public double counted(String name) {
        return gateway.figure("kipimo_gateway_" + name, "");
    }

    /**
     * A counter of the gateway's listener for one class; NaN: unknown.
     *
     * @param name after {@code kipimo_gateway_}
     */
    public double counted(String name, String queryClass) {
        return gateway.figure("kipimo_gateway_" + name, "listener=\"" + queryClass + '"');
    }

    /** Admitted fraction of the low class; NaN: unknown. */
    public double admitted() {
        return gateway.figure("kipimo_gateway_admitted_fraction", "class=\"low\"");
    }

    @Override
    public void close() {
        gateway.close();
        solr.close();
    }
}
