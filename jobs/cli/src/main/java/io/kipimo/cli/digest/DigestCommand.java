package io.kipimo.cli.digest;

import io.kipimo.cli.digest.RowDigests.Minute;
import io.kipimo.cli.digest.RowDigests.Verdict;
import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.kafka.KafkaSinks;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kipimo digest}: checks whether two quality jobs write the same rows from one log. */
@Command(
        name = "digest",
        description = {
            "Compares the rows that two quality jobs wrote from one log, such as blue and green of an upgrade, by a "
                    + "digest a minute of event time. A row that was written twice counts once.",
            "",
            "EQUAL: all rows of the minute are the same, byte by byte. DIFFERS: one differs, or one job lacks it. "
                    + "UNKNOWN: a job may still write rows of the minute, or did not run yet.",
            "",
            "Exits with 0 if all known minutes are equal, 1 if one differs, 3 if none is known."
        },
        footer = {
            "  kipimo digest kipimo-blue kipimo-green",
            "  kipimo digest kipimo-blue kipimo-green --since 2h --json"
        })
public final class DigestCommand extends KafkaCommand {
    @Parameters(arity = "2", paramLabel = "GROUP", description = "source.group-id of each job.")
    private List<String> groups;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            defaultValue = "15m",
            description = "Read rows of this period; some 250 bytes of memory each. Default: ${DEFAULT-VALUE}")
    private String since;

    @Override
    public Integer call() {
        InputException.throwIf(groups.get(0).equals(groups.get(1)), "GROUP is twice '" + groups.get(0) + "'");
        long fromMillis =
                System.currentTimeMillis() - TimeSpan.parse("--since", since).toMillis();
        KafkaSettings settings = kafka.connect(Topic.QUALITY);
        RowDigests digests = new RowDigests(
                groups.stream().map(group -> group + '-' + QualityJob.NAME).toList());
        // First what shows how far the jobs have come: then all rows up to there are in the log.
        TopicReader.read(
                settings, Topic.ERROR_BUDGETS, fromMillis, entry -> TopicReader.decode(Codecs.ERROR_BUDGET, entry)
                        .filter(budget -> budget.endMillis() >= fromMillis)
                        .ifPresent(budget -> digests.close(job(entry), budget.endMillis())));
        TopicReader.read(settings, Topic.QUALITY, fromMillis, entry -> TopicReader.decode(Codecs.MEASUREMENT, entry)
                .filter(row -> row.measuredAtMillis() >= fromMillis)
                .ifPresent(row -> digests.add(job(entry), row, entry.value())));
        List<Minute> minutes = digests.minutes(PolicyStore.readAll(settings).values().stream()
                .mapToLong(QualitySettings::settleMillis)
                .max()
                .orElse(0));
        if (minutes.stream().allMatch(minute -> minute.verdict() == Verdict.UNKNOWN)) {
            return output.notEnough("no minute of the last " + since + " is known of both jobs; rows are of "
                    + (digests.writers().isEmpty() ? "no job" : String.join(", ", digests.writers())));
        }
        boolean isEqual = minutes.stream().noneMatch(minute -> minute.verdict() == Verdict.DIFFERS);
        output.print(
                () -> new JsonObject()
                        .with("verdict", isEqual ? Verdict.EQUAL : Verdict.DIFFERS)
                        .with("minutes", minutes),
                table(minutes)::print);
        return isEqual ? ExitCodes.FINE : ExitCodes.NO;
    }

    private static String job(ConsumerRecord<byte[], byte[]> entry) {
        Header job = entry.headers().lastHeader(KafkaSinks.JOB_HEADER);
        return job == null ? "unnamed" : new String(job.value(), StandardCharsets.UTF_8);
    }

    private TextTable table(List<Minute> minutes) {
        TextTable table = new TextTable("minute", "queries", groups.get(0), groups.get(1), "verdict", "differing");
        for (Minute minute : minutes) {
            table.row(
                    minute.from(),
                    Integer.toString(minute.queries()),
                    minute.digests().get(0).toString(),
                    minute.digests().get(1).toString(),
                    minute.verdict().name(),
                    minute.verdict() == Verdict.DIFFERS ? String.join(" ", minute.examples()) : "");
        }
        return table;
    }
}
