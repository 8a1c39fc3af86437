package io.kipimo.cli.advice;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.policy.PolicyDocument;
import io.kipimo.cli.terminal.Contexts;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.cli.topics.RecordedFile;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.core.quality.window.TraceLink;
import io.kipimo.core.quality.window.WorstQueries;
import io.kipimo.core.quality.window.WorstQuery;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.tails.DivergentQuery;
import io.kipimo.schemas.tails.ReplicaTruth;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kipimo worst}: lists the measured queries that lost most quality. */
@Command(
        name = "worst",
        description = {
            "Lists the measured queries of each class that lost most quality, with the components "
                    + "that lost it. Queries are ordered by the loss that is certain: the high end "
                    + "of their quality. Only sampled queries are measured.",
            "",
            "Then the queries whose answer depended on which server was asked, where a gateway compares "
                    + "servers (compare-after).",
            "",
            "Exits with 3 if nothing was measured."
        },
        footer = {
            "  kipimo worst --service search --class high --since 15m",
            "  kipimo worst --trace-link 'https://tempo.example.com/trace/{query}'",
            "  kipimo tail quality --from-beginning --until-end | kipimo worst --measurements -"
        })
public final class WorstCommand extends KafkaCommand {
    private static final int MOST = 1_000;
    private static final int SHOWN_COMPONENTS = 4;

    @Mixin
    private ClassFilter filter;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "On a running system: read the last 45s, 30m, 2h. Default: 1h")
    private String since;

    @Option(
            names = "--top",
            paramLabel = "N",
            defaultValue = "10",
            description = "Queries of each class, 1..1000. Default: ${DEFAULT-VALUE}")
    private int top;

    @Option(
            names = "--metric",
            paramLabel = "METRIC",
            description = "Similarity function, such as tpr@20. Default: the first one measured.")
    private String metric;

    @Option(
            names = "--trace-link",
            paramLabel = "URL",
            description = "Address of the trace of a query, with {query}, and {from}, {to} in epoch "
                    + "milliseconds if wanted: https://tempo.example.com/trace/{query}")
    private String traceLink;

    @Option(
            names = "--measurements",
            paramLabel = "FILE",
            description = "Output of kipimo tail quality; - is standard input.")
    private String measurements;

    @Option(
            names = "--replica-truth",
            paramLabel = "FILE",
            description = "With --measurements: output of kipimo tail replica-truth.")
    private String replicaTruth;

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "With --measurements: the service's policy, which tells whether late results or replays "
                    + "measure its queries.")
    private String policyFile;

    @Override
    public Integer call() {
        InputException.throwIf(top < 1 || top > MOST, "--top is " + top + "; allowed: 1.." + MOST);
        if (metric != null) {
            Similarities.parse(metric);
        }
        InputException.throwIf(
                measurements != null && since != null,
                "--since needs a running system; allowed without --measurements only");
        Optional<TraceLink> link = Optional.ofNullable(traceLink)
                .or(() -> Contexts.value(spec, "trace-link"))
                .map(TraceLink::new);
        WorstReading reading = new WorstReading();
        InputException.throwIf(replicaTruth != null && measurements == null, "--replica-truth needs --measurements");
        InputException.throwIf(policyFile != null && measurements == null, "--policy needs --measurements");
        if (measurements != null) {
            if (policyFile != null) {
                reading.add(PolicyDocument.read(policyFile).policy());
            }
            RecordedFile.read(measurements, Codecs.MEASUREMENT, reading::add);
            if (replicaTruth != null) {
                RecordedFile.read(replicaTruth, Codecs.REPLICA_TRUTH, reading::add);
            }
        } else {
            long from = System.currentTimeMillis()
                    - TimeSpan.parse("--since", since == null ? "1h" : since).toMillis();
            KafkaSettings settings = kafka.connect(Topic.QUALITY);
            if (!TopicAdmin.missing(settings).contains(settings.name(Topic.POLICIES))) {
                PolicyStore.readAll(settings).values().forEach(reading::add);
            }
            TopicReader.read(settings, Topic.QUALITY, from, Codecs.MEASUREMENT, reading::add);
            // Installations of earlier versions lack it.
            if (!TopicAdmin.missing(settings).contains(settings.name(Topic.REPLICA_TRUTH))) {
                TopicReader.read(settings, Topic.REPLICA_TRUTH, from, Codecs.REPLICA_TRUTH, reading::add);
            }
        }
        output.print(() -> reading.document(link), out -> reading.print(out, link));
        return reading.measured == 0 ? ExitCodes.NOT_ENOUGH : ExitCodes.FINE;
    }

    /** A query whose answer depended on which server of a component was asked. */
    private record Divergent(String service, String component, DivergentQuery query) {
        JsonObject document() {
            return new JsonObject()
                    .with("service", service)
                    .with("component", component)
                    .with(query);
        }

        List<String> row() {
            String what = query.lacked() == 0
                    ? "has another order than " + query.other()
                    : "lacks " + String.join(", ", query.items())
                            + (query.lacked() > query.items().size()
                                    ? " and " + (query.lacked() - query.items().size()) + " more"
                                    : "");
            return List.of(
                    service + '/' + component,
                    query.queryId(),
                    FigureText.time(query.atMillis()),
                    query.server() + ' ' + what + (query.isLag() ? ", for a while" : ""));
        }
    }

    private final class WorstReading {
        private final Map<ServiceClass, WorstQueries> byClass = new TreeMap<>();
        /** Queries whose answer depended on the server, in the order in which they were first reported. */
        private final Map<String, Divergent> divergent = new LinkedHashMap<>();

        /** Services whose mature answers come from replays. */
        private final Set<String> replaying = new HashSet<>();

        private long measured;

        void add(Policy policy) {
            if (policy.merge().kind() == MergeKind.REPLAYED_ANSWERS) {
                replaying.add(policy.service());
            }
        }

        void add(ReplicaTruth truth) {
            if (filter.matches(truth.service())) {
                for (DivergentQuery query : truth.queries()) {
                    // Each query stands in several records.
                    divergent.putIfAbsent(
                            String.join("/", truth.component(), query.queryId(), query.server()),
                            new Divergent(truth.service(), truth.component(), query));
                }
                Iterator<Divergent> oldest = divergent.values().iterator();
                while (divergent.size() > MOST) {
                    oldest.next();
                    oldest.remove();
                }
            }
        }

        /** The newest queries whose answer depended on the server, newest first; at most {@code --top}. */
        private List<Divergent> divergent() {
            return divergent.values().stream()
                    .sorted(Comparator.comparingLong((Divergent d) -> d.query().atMillis())
                            .reversed())
                    .limit(top)
                    .toList();
        }

        void add(Measurement m) {
            if (m.completeness() == Completeness.ORPHAN || !filter.matches(m.service(), m.queryClass())) {
                return;
            }
            measured++;
            WorstQuery.of(m, Optional.ofNullable(metric)).ifPresent(query -> byClass.computeIfAbsent(
                            m.serviceClass(), c -> new WorstQueries(top, Long.MAX_VALUE))
                    .add(query));
        }

        private List<WorstQuery> worst() {
            return byClass.values().stream().flatMap(c -> c.since(0).stream()).toList();
        }

        JsonObject document(Optional<TraceLink> link) {
            return new JsonObject()
                    .with("measured", measured)
                    .with("queries", worst().stream().map(q -> q.document(link)).toList())
                    .with(
                            "divergent",
                            divergent().stream().map(Divergent::document).toList());
        }

        void print(PrintWriter out, Optional<TraceLink> link) {
            List<WorstQuery> worst = worst();
            if (worst.isEmpty()) {
                out.println(
                        measured == 0
                                ? "nothing was measured of " + filter
                                : "none of " + measured + " measured queries lost quality");
            } else {
                printWorst(out, link, worst);
            }
            if (!divergent.isEmpty()) {
                out.println();
                TextTable table = new TextTable("DEPENDS ON SERVER", "QUERY", "COMPARED", "SERVER LACKS");
                divergent().forEach(d -> table.row(d.row()));
                table.print(out);
            }
        }

        private void printWorst(PrintWriter out, Optional<TraceLink> link, List<WorstQuery> worst) {
            List<String> titles = new ArrayList<>(List.of("QUALITY", "CLASS", "QUERY", "STARTED", "COMPONENTS"));
            link.ifPresent(l -> titles.add("TRACE"));
            TextTable table = new TextTable(titles);
            for (WorstQuery query : worst) {
                List<String> row = new ArrayList<>(List.of(
                        quality(query),
                        query.scope(),
                        query.queryId(),
                        FigureText.time(query.startedAtMillis()),
                        components(query)));
                link.ifPresent(l -> row.add(l.of(query)));
                table.row(row);
            }
            table.print(out);
        }

        private String quality(WorstQuery query) {
            return query.low() == query.high()
                    ? FigureText.fraction(query.low())
                    : FigureText.fraction(query.low()) + ".." + FigureText.fraction(query.high());
        }

        private String components(WorstQuery query) {
            boolean isReplayed = replaying.contains(query.service());
            String blamed = query.components().stream()
                    .filter(c -> c.outcome().isLate() || c.lostQuality() > 0)
                    .limit(SHOWN_COMPONENTS)
                    .map(c -> component(c, isReplayed))
                    .collect(Collectors.joining("; "));
            String late = blamed.isEmpty() ? "all in time" : blamed;
            return query.notAsked() == 0
                    ? late
                    : late + "; " + query.notAsked() + " not asked, -" + FigureText.fraction(query.deliberateLoss());
        }

        private String component(ComponentShare c, boolean isReplayed) {
            String missing = isReplayed ? ", not asked again" : ", never came";
            return c.component()
                    + " "
                    + c.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                    + (c.missing() ? missing : ", " + FigureText.millis(c.latencyMicros() / 1000.0))
                    + (c.lostQuality() == 0 ? "" : ", -" + FigureText.fraction(c.lostQuality()));
        }
    }
}
