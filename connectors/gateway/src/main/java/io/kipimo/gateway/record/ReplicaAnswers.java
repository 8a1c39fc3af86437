package io.kipimo.gateway.record;

import io.kipimo.core.quality.merge.AnswerDifference;
import io.kipimo.core.quality.merge.ReplicaComparisons;
import io.kipimo.core.quality.merge.ReplicaComparisons.ComparisonVerdict;
import io.kipimo.core.quality.merge.ReplicaComparisons.ReplicaComparison;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.schemas.tails.ReplicaTruth;
import io.kipimo.sdk.internal.exposition.EventCounts;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the answers of a listener's servers to find out if answers depend on the server. If two answers differ, both
 * servers are asked again after a while, for one query at a time. Replicas that only had not been refreshed agree by
 * then. Thread-safe.
 */
public final class ReplicaAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaAnswers.class);

    private final String listener;
    private final List<String> servers;
    private final Complaints complaints;
    private final LongSupplier epochMillis;
    private final ReplicaComparisons newest = new ReplicaComparisons();
    private final EventCounts verdicts = new EventCounts(ComparisonVerdict.values());
    private final LongAdder[] behind;
    private final LongAdder[] different;
    private final AtomicBoolean isAsking = new AtomicBoolean();

    /** @param epochMillis clock, epoch milliseconds */
    public ReplicaAnswers(ListenerConfig config, LongSupplier epochMillis) {
        this.epochMillis = epochMillis;
        listener = config.name();
        servers = config.servers().stream().map(Object::toString).toList();
        complaints = new Complaints(config.name(), LOG::warn, System::nanoTime);
        behind = adders(servers.size());
        different = adders(servers.size());
    }

    private static LongAdder[] adders(int count) {
        LongAdder[] adders = new LongAdder[count];
        Arrays.setAll(adders, i -> new LongAdder());
        return adders;
    }

    /**
     * Counts a comparison.
     *
     * @return whether both must be asked again; then {@link #askedAgain} or {@link #unknown} must be called
     */
    public boolean compared(String queryId, int first, int second, AnswerDifference difference) {
        if (difference.kind() == AnswerDifference.DifferenceKind.DIFFERENT && isAsking.compareAndSet(false, true)) {
            return true;
        }
        ComparisonVerdict verdict =
                switch (difference.kind()) {
                    case SAME -> ComparisonVerdict.SAME;
                    case TIES -> ComparisonVerdict.TIES;
                    case DIFFERENT -> ComparisonVerdict.UNKNOWN;
                };
        count(verdict, queryId, first, second, difference);
        return false;
    }

    /** Counts the comparison of two servers that have both answered again. */
    public void askedAgain(String queryId, int first, int second, AnswerDifference before, AnswerDifference now) {
        isAsking.set(false);
        AnswerDifference still = before.still(now);
        boolean persists = still.kind() == AnswerDifference.DifferenceKind.DIFFERENT;
        AnswerDifference named = persists ? still : before;
        LongAdder[] counts = persists ? different : behind;
        name(counts, first, named.firstLacks());
        name(counts, second, named.secondLacks());
        // Last: who sees the comparison sees its servers.
        count(persists ? ComparisonVerdict.DIFFERENT : ComparisonVerdict.LAG, queryId, first, second, named);
        if (persists) {
            complaints.say(
                    ComparisonVerdict.DIFFERENT,
                    "answers depend on the server, also when asked again: query %s%s%s%s"
                            .formatted(
                                    queryId,
                                    said(first, still.firstLacks()),
                                    said(second, still.secondLacks()),
                                    still.firstLacks().isEmpty()
                                                    && still.secondLacks().isEmpty()
                                            ? "; " + servers.get(first) + " and " + servers.get(second)
                                                    + " have another order"
                                            : ""));
        }
    }

    private static void name(LongAdder[] counts, int server, Set<String> lacks) {
        if (!lacks.isEmpty()) {
            counts[server].increment();
        }
    }

    private String said(int server, Set<String> lacks) {
        return lacks.isEmpty()
                ? ""
                : "; %s lacks %s%s"
                        .formatted(
                                servers.get(server),
                                lacks.stream().limit(3).collect(Collectors.joining(", ")),
                                lacks.size() > 3 ? " and " + (lacks.size() - 3) + " more" : "");
    }

    /** Counts a comparison as unknown, because the servers did not both answer again. */
    public void unknown(String queryId, int first, int second, AnswerDifference before) {
        isAsking.set(false);
        count(ComparisonVerdict.UNKNOWN, queryId, first, second, before);
    }

    private void count(ComparisonVerdict verdict, String queryId, int first, int second, AnswerDifference difference) {
        verdicts.count(verdict);
        ReplicaComparison comparison = new ReplicaComparison(
                epochMillis.getAsLong(), queryId, verdict, servers.get(first), servers.get(second), difference);
        synchronized (newest) {
            newest.add(comparison);
        }
    }

    /** Report on the comparisons of the last minutes; empty: there were none. */
    public Optional<ReplicaTruth> truth(String service, String reporter) {
        synchronized (newest) {
            return newest.truth(service, listener, reporter, epochMillis.getAsLong());
        }
    }

    /** Comparisons of two answers with this verdict. */
    public long of(ComparisonVerdict verdict) {
        return verdicts.of(verdict);
    }

    /**
     * Comparisons in which a server lacked items that the other one had, by server.
     *
     * @param verdict LAG or DIFFERENT
     */
    public Map<String, Long> lacked(ComparisonVerdict verdict) {
        LongAdder[] counts = verdict == ComparisonVerdict.LAG ? behind : different;
        // A server may be listed twice.
        Map<String, Long> lacked = new LinkedHashMap<>();
        for (int server = 0; server < counts.length; server++) {
            lacked.merge(servers.get(server), counts[server].sum(), Long::sum);
        }
        return lacked;
    }
}
