package io.kipimo.cli.rating;

import io.kipimo.cli.terminal.ArrivalFile;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.topics.RecordedFile;
import io.kipimo.core.replication.RecordedArrivals.RecordedArrival;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.quality.AnswerKind;
import java.io.PrintWriter;
import java.util.DoubleSummaryStatistics;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** Writes the arrivals and classes of a service's recorded queries to a file for {@code --replay}. */
final class ArrivalRecording {
    /** Least share of all queries that must be recorded. In a smaller sample, bursts would be weaker. */
    private static final double ALL = 0.95;

    @Option(
            names = "--record",
            required = true,
            paramLabel = "FILE",
            description = "Rates nothing: writes when recorded queries arrived, and their classes, to a"
                    + " file for --replay.")
    private String file;

    @Option(
            names = "--answers",
            required = true,
            paramLabel = "FILE",
            description = "--record: output of kipimo tail answers, of a time in which all queries were"
                    + " sampled; - is standard input.")
    private String answers;

    @Option(
            names = "--observations",
            paramLabel = "FILE",
            description = "--record: output of kipimo tail observations of the same time, which shows"
                    + " whether all queries were sampled.")
    private String observations;

    /**
     * Writes the file.
     *
     * @param service service to choose; empty: the only recorded one
     * @param err receives a message if nothing shows that all queries were sampled
     * @return number of arrivals, their rate and the share of each class
     * @throws InputException if there are several services, or answers are missing
     */
    Map<String, Object> write(String service, PrintWriter err) {
        // By id, because records may be delivered twice.
        Map<String, RecordedArrival> arrivals = new LinkedHashMap<>();
        Map<String, Long> byClass = new TreeMap<>();
        Set<String> services = new TreeSet<>();
        RecordedFile.read(answers, Codecs.ANSWER, answer -> {
            if (answer.kind() != AnswerKind.ONLINE || !(service.isEmpty() || service.equals(answer.service()))) {
                return;
            }
            services.add(answer.service());
            RecordedArrival arrival = new RecordedArrival(answer.startedAtMillis() / 1e3, answer.queryClass());
            if (arrivals.putIfAbsent(answer.queryId(), arrival) == null) {
                byClass.merge(answer.queryClass(), 1L, Long::sum);
            }
        });
        InputException.throwIf(services.size() > 1, "--service is missing; allowed: one of " + services);
        if (observations == null) {
            err.println("--observations is not given, so nothing shows that all queries were sampled");
        } else {
            checkAll(services, arrivals);
        }
        double perSecond = ArrivalFile.write(file, arrivals.values());
        JsonObject mix = new JsonObject();
        byClass.forEach((name, count) -> mix.put(name, (double) count / arrivals.size()));
        return new JsonObject()
                .with("arrivals", arrivals.size())
                .with("per_second", perSecond)
                .with("mix", mix);
    }

    /**
     * Checks that nearly all queries are recorded, by the counts of all queries in the seconds from first to last
     * arrival.
     */
    private void checkAll(Set<String> services, Map<String, RecordedArrival> arrivals) {
        DoubleSummaryStatistics times =
                arrivals.values().stream().mapToDouble(RecordedArrival::seconds).summaryStatistics();
        Set<Object> seen = new HashSet<>();
        long[] admitted = {0};
        RecordedFile.read(observations, Codecs.OBSERVATION, counts -> {
            double second = counts.secondMillis() / 1e3;
            if (services.contains(counts.service())
                    && second > times.getMin() - 1
                    && second <= times.getMax()
                    && seen.add(counts)) {
                admitted[0] += counts.offered() - counts.rejected();
            }
        });
        InputException.throwIf(
                admitted[0] == 0 || arrivals.size() < ALL * admitted[0],
                String.format(
                        Locale.ROOT,
                        "--answers has %,d of the %,d queries that --observations counts;"
                                + " allowed: all of them: sample every query while recording",
                        arrivals.size(),
                        admitted[0]));
    }
}
