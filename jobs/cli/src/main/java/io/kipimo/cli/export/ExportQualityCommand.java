package io.kipimo.cli.export;

import io.kipimo.cli.advice.ClassFilter;
import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.policy.PolicyDocument;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.cli.topics.RecordedFile;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code kipimo export quality}: writes measurements as a Parquet file, answers as TREC files, or answers and their
 * quality as queries of User Behavior Insights (UBI).
 */
@Command(
        name = "quality",
        description = {
            "Writes measured queries as files. --parquet: a table with a row for each query and metric. --trec: the"
                    + " answers that users got (online.run), the answers from all components (mature.run), and the latter"
                    + " as judgments (mature.qrels: relevance falls by 1 a rank, so that nDCG of trec_eval is ndcg@k)."
                    + " --ubi: answers and their quality as ubi_queries of User Behavior Insights; with --ubi-events, how"
                    + " users clicked on them.",
            "",
            "It reads the topics of a running system, or files that kipimo tail printed. TREC files"
                    + " have the queries whose results are all recorded, or whose replay is; those of complete"
                    + " answers are recorded for a share of them only."
        },
        footer = {
            "  kipimo export quality --since 24h --parquet quality.parquet",
            "  kipimo export quality --service search --trec runs --depth 10",
            "  kipimo export quality --since 24h --ubi insights --ubi-events ubi_events.ndjson",
            "  kipimo tail quality --from-beginning --until-end"
                    + " | kipimo export quality --measurements - --parquet quality.parquet"
        })
final class ExportQualityCommand extends KafkaCommand {
    @Option(names = "--parquet", paramLabel = "FILE", description = "The table to write.")
    private Path parquet;

    @Option(
            names = "--trec",
            paramLabel = "DIRECTORY",
            description = "Where to write the runs and judgments; of one service.")
    private Path trec;

    @Option(names = "--ubi", paramLabel = "DIRECTORY", description = "Where to write ubi_queries.ndjson.")
    private Path ubi;

    @Option(
            names = "--ubi-events",
            paramLabel = "FILE",
            description = "For --ubi: events of ubi_events, one a line. Clicks are counted by the answers' quality.")
    private String ubiEvents;

    @Option(
            names = "--depth",
            paramLabel = "K",
            description = "Items of an answer in TREC files: the k of the metric. Default: the policy's top-k.")
    private Integer depth;

    @Mixin
    private ClassFilter filter;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "On a running system: read the last 45s, 30m, 2h. Default: all that is kept.")
    private String since;

    @Option(
            names = "--measurements",
            paramLabel = "FILE",
            description = "For --parquet or --ubi: output of kipimo tail quality; - is standard input.")
    private String measurements;

    @Option(
            names = "--answers",
            paramLabel = "FILE",
            description = "For --trec or --ubi: output of kipimo tail answers; - is standard input.")
    private String answers;

    @Option(
            names = "--partials",
            paramLabel = "FILE",
            description = "For --trec: output of kipimo tail partials; not for REPLAYED_ANSWERS.")
    private String partials;

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "For --trec with --answers: the service's policy, as for kipimo policy set.")
    private String policyFile;

    @Override
    public Integer call() {
        checkOptions();
        long fromMillis = since == null
                ? 0
                : System.currentTimeMillis() - TimeSpan.parse("--since", since).toMillis();
        JsonObject document = new JsonObject();
        long queries = 0;
        try {
            if (parquet != null) {
                queries = table(fromMillis);
                document.put("rows", queries);
                document.put("parquet", parquet.toString());
            }
            if (trec != null) {
                TrecFiles files = trec(fromMillis);
                document.put("queries", files.queries());
                document.put("trec", trec.toString());
                queries += files.queries();
            }
            if (ubi != null) {
                UbiFiles files = ubi(fromMillis);
                document.put("ubiQueries", files.queries());
                document.put("ubi", ubi.toString());
                if (ubiEvents != null) {
                    document.put("clicks", files.clicks());
                }
                queries += files.queries();
            }
        } catch (IOException e) {
            throw new InputException((e.getMessage() == null ? "the file" : e.getMessage())
                    + ": cannot be written; allowed: a place for a file");
        }
        output.print(document, ": ");
        return queries == 0 ? ExitCodes.NOT_ENOUGH : ExitCodes.FINE;
    }

    private void checkOptions() {
        InputException.throwIf(
                parquet == null && trec == null && ubi == null,
                "nothing to write; allowed: --parquet, --trec, --ubi or several");
        InputException.throwIf(
                depth != null && (trec == null || depth < 1),
                "--depth is " + depth + "; allowed: at least 1, with --trec");
        InputException.throwIf(
                (answers == null && (policyFile != null || partials != null))
                        || (trec != null && answers != null && policyFile == null),
                "recorded answers need --answers and --policy, and --partials unless the policy's merge is "
                        + "REPLAYED_ANSWERS; allowed: all or none of them");
        InputException.throwIf(
                answers != null && trec == null && ubi == null, "--answers is given; allowed: with --trec or --ubi");
        InputException.throwIf(
                measurements != null && parquet == null && ubi == null,
                "--measurements is given; allowed: with --parquet or --ubi");
        InputException.throwIf(ubiEvents != null && ubi == null, "--ubi-events is given; allowed: with --ubi");
        InputException.throwIf(
                ubi != null && (answers == null) != (measurements == null),
                "--ubi needs --answers and --measurements; allowed: both, or none on a running system");
        boolean isRecorded = (parquet == null || measurements != null)
                && (trec == null || answers != null)
                && (ubi == null || answers != null);
        InputException.throwIf(
                since != null && isRecorded, "--since needs a running system; allowed without files only");
    }

    private <T> void read(String file, Topic topic, Codec<T> codec, long fromMillis, Consumer<T> taker) {
        if (file == null) {
            TopicReader.read(kafka.connect(topic), topic, fromMillis, codec, taker);
        } else {
            RecordedFile.read(file, codec, taker);
        }
    }

    /** Writes the table and returns its number of rows. An older file stays until the new one is complete. */
    private long table(long fromMillis) throws IOException {
        Path part = parquet.resolveSibling(parquet.getFileName() + ".part");
        try {
            MeasurementTable table = new MeasurementTable(part);
            Consumer<Measurement> taker = m -> {
                if (filter.matches(m.service(), m.queryClass())) {
                    table.add(m);
                }
            };
            read(measurements, Topic.QUALITY, Codecs.MEASUREMENT, fromMillis, taker);
            table.close();
            Files.move(part, parquet, StandardCopyOption.REPLACE_EXISTING);
            return table.size();
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private UbiFiles ubi(long fromMillis) throws IOException {
        UbiFiles files = new UbiFiles();
        Consumer<Answer> answered = a -> {
            if (filter.matches(a.service(), a.queryClass())) {
                files.add(a);
            }
        };
        read(answers, Topic.ANSWERS, Codecs.ANSWER, fromMillis, answered);
        read(measurements, Topic.QUALITY, Codecs.MEASUREMENT, fromMillis, files::add);
        if (ubiEvents != null) {
            files.readEvents(ubiEvents);
        }
        files.write(ubi);
        return files;
    }

    private TrecFiles trec(long fromMillis) throws IOException {
        Policy policy = policy();
        String service = policy.service();
        TrecFiles files = new TrecFiles(policy, depth == null ? 0 : depth);
        Consumer<Answer> answered = a -> {
            if (a.service().equals(service) && filter.matches(a.service(), a.queryClass())) {
                files.add(a);
            }
        };
        read(answers, Topic.ANSWERS, Codecs.ANSWER, fromMillis, answered);
        if (policy.merge().kind() != MergeKind.REPLAYED_ANSWERS) {
            InputException.throwIf(
                    answers != null && partials == null,
                    "--partials is not given; allowed: without it only if the policy's merge is REPLAYED_ANSWERS");
            read(partials, Topic.PARTIALS, Codecs.PARTIAL_RESULT, fromMillis, partial -> {
                if (partial.service().equals(service)) {
                    files.add(partial);
                }
            });
        }
        files.write(trec);
        return files;
    }

    private Policy policy() {
        if (policyFile != null) {
            return PolicyDocument.read(policyFile).policy();
        }
        List<Policy> chosen = PolicyStore.readAll(kafka.connect(Topic.ANSWERS)).values().stream()
                .filter(policy -> filter.matches(policy.service()))
                .toList();
        InputException.throwIf(
                chosen.size() != 1,
                "there are " + chosen.size() + " policies for " + filter + "; allowed: one, chosen by --service");
        return chosen.get(0);
    }
}
