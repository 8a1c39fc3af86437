package io.kipimo.gateway.record;

import io.kipimo.core.quality.merge.AnswerDifference;
import io.kipimo.gateway.config.ListenerConfig;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the answers of a listener's servers depend on which of them was asked. What differs is asked again after a
 * while, one query at a time: then replicas that were not yet refreshed agree. Thread-safe.
 */
public final class ReplicaAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaAnswers.class);

    /** What a comparison of two answers showed. */
    public enum Verdict {
        /** They were the same. */
        SAME,
        /** Items of equal scores were in another order. */
        TIES,
        /** They differed, and later no longer did, or in other items. */
        LAG,
        /** They differed, and later still did. */
        DIFFERENT,
        /** They differed, and were not asked again, or did not answer. */
        UNKNOWN
    }

    private final List<String> servers;
    private final Complaints complaints;
    private final LongAdder[] verdicts = adders(Verdict.values().length);
    private final LongAdder[] behind;
    private final LongAdder[] different;
    private final AtomicBoolean isAsking = new AtomicBoolean();

    public ReplicaAnswers(ListenerConfig config) {
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
    public boolean compared(AnswerDifference difference) {
        switch (difference.kind()) {
            case SAME -> count(Verdict.SAME);
            case TIES -> count(Verdict.TIES);
            case DIFFERENT -> {
                if (isAsking.compareAndSet(false, true)) {
                    return true;
                }
                count(Verdict.UNKNOWN);
            }
        }
        return false;
    }

    /** Both servers have answered again. */
    public void askedAgain(String queryId, int first, int second, AnswerDifference before, AnswerDifference now) {
        isAsking.set(false);
        AnswerDifference still = before.still(now);
        boolean persists = still.kind() == AnswerDifference.Kind.DIFFERENT;
        count(persists ? Verdict.DIFFERENT : Verdict.LAG);
        AnswerDifference named = persists ? still : before;
        LongAdder[] counts = persists ? different : behind;
        name(counts, first, named.firstLacks());
        name(counts, second, named.secondLacks());
        if (persists) {
            complaints.say(
                    Verdict.DIFFERENT,
                    "answers depend on the server, also when asked again: query "
                            + queryId
                            + said(first, still.firstLacks())
                            + said(second, still.secondLacks())
                            + (still.firstLacks().isEmpty()
                                            && still.secondLacks().isEmpty()
                                    ? "; " + servers.get(first) + " and " + servers.get(second) + " have another order"
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
                : "; "
                        + servers.get(server)
                        + " lacks "
                        + lacks.stream().limit(3).collect(Collectors.joining(", "))
                        + (lacks.size() > 3 ? " and " + (lacks.size() - 3) + " more" : "");
    }

    /** The servers did not both answer again. */
    public void unknown() {
        isAsking.set(false);
        count(Verdict.UNKNOWN);
    }

    private void count(Verdict verdict) {
        verdicts[verdict.ordinal()].increment();
    }

    /** Comparisons of two answers with this verdict. */
    public long of(Verdict verdict) {
        return verdicts[verdict.ordinal()].sum();
    }

    /**
     * Comparisons in which a server lacked items that the other one had, by server.
     *
     * @param verdict LAG or DIFFERENT
     */
    public Map<String, Long> lacked(Verdict verdict) {
        LongAdder[] counts = verdict == Verdict.LAG ? behind : different;
        // A server may be listed twice.
        Map<String, Long> lacked = new LinkedHashMap<>();
        for (int server = 0; server < counts.length; server++) {
            lacked.merge(servers.get(server), counts[server].sum(), Long::sum);
        }
        return lacked;
    }
}
