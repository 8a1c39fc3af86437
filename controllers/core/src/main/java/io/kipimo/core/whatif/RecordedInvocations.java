package io.kipimo.core.whatif;

import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Reconstructs from decisions when a controller was run, and on which windows. The decisions of one run have the same
 * time of issue, and they contain the end of the newest window at that time. Decisions that rest on no measurement do
 * not have that end. A run that has only such decisions counts as a step on windows if its figures differ from those of
 * the run before. Runs without decisions leave no trace; their windows count for the next run.
 */
public final class RecordedInvocations {
    private RecordedInvocations() {}

    /**
     * The runs behind recorded decisions, in their order.
     *
     * @param windows windows of the service; those after the last decision are left out
     * @param decisions of one controller for the service; repetitions count once
     */
    public static List<RecordedInvocation> recorded(
            List<QualityWindow> windows, List<Decision> decisions, RecordedLock lock) {
        List<QualityWindow> inOrder = inOrder(windows);
        long lag = lags(decisions).min().orElse(0);
        List<RecordedInvocation> invocations = new ArrayList<>();
        Decision before = null;
        int seen = 0;
        for (List<Decision> run : runs(decisions)) {
            long asOf = asOfMillis(run, before, lag);
            int next = seen;
            while (next < inOrder.size() && inOrder.get(next).endMillis() <= asOf) {
                next++;
            }
            Decision any = run.get(0);
            invocations.add(new RecordedInvocation(
                    any.issuedAtMillis(),
                    any.epoch(),
                    any.configVersion(),
                    lock.at(run),
                    List.copyOf(inOrder.subList(seen, next))));
            seen = next;
            before = any;
        }
        return invocations;
    }

    /**
     * The runs that a job would have had: one for every window, {@code lagMillis} after its end, and a heartbeat every
     * period.
     *
     * @param lagMillis time from the end of a window to the step on it
     * @param periodMillis time between two heartbeats by the policy; at least 1
     */
    public static List<RecordedInvocation> assumed(
            List<QualityWindow> windows, RecordedLock lock, long lagMillis, long periodMillis) {
        List<RecordedInvocation> invocations = new ArrayList<>();
        List<QualityWindow> inOrder = inOrder(windows);
        if (inOrder.isEmpty()) {
            return invocations;
        }
        long last = inOrder.get(inOrder.size() - 1).endMillis() + lagMillis;
        for (long at = inOrder.get(0).endMillis(); at <= last; at += periodMillis) {
            invocations.add(new RecordedInvocation(at, 1, 0, lock.at(at), List.of()));
        }
        for (QualityWindow window : inOrder) {
            long at = window.endMillis() + lagMillis;
            invocations.add(new RecordedInvocation(at, 1, 0, lock.at(at), List.of(window)));
        }
        invocations.sort(Comparator.comparingLong(RecordedInvocation::atMillis));
        return invocations;
    }

    /** Median time from the end of a window to the decision on it; empty if no decision shows it. */
    public static OptionalLong lagMillis(List<Decision> decisions) {
        long[] lags = lags(decisions).sorted().toArray();
        return lags.length == 0 ? OptionalLong.empty() : OptionalLong.of(lags[lags.length / 2]);
    }

    private static LongStream lags(List<Decision> decisions) {
        Set<Long> ends = new HashSet<>();
        return ordered(decisions)
                .filter(d -> isOnInput(d) && d.asOfMillis() > 0 && ends.add(d.asOfMillis()))
                .mapToLong(d -> Math.max(0, d.issuedAtMillis() - d.asOfMillis()));
    }

    /** The decisions of each run, in order. */
    static List<List<Decision>> runs(List<Decision> decisions) {
        List<List<Decision>> runs = new ArrayList<>();
        Set<String> scopes = new HashSet<>();
        Decision before = null;
        for (Decision decision : ordered(decisions).toList()) {
            boolean isSameRun = before != null
                    && before.epoch() == decision.epoch()
                    && before.issuedAtMillis() == decision.issuedAtMillis()
                    && !scopes.contains(decision.scope());
            if (!isSameRun) {
                runs.add(new ArrayList<>());
                scopes.clear();
            }
            runs.get(runs.size() - 1).add(decision);
            scopes.add(decision.scope());
            before = decision;
        }
        return runs;
    }

    private static Stream<Decision> ordered(List<Decision> decisions) {
        return new LinkedHashSet<>(decisions)
                .stream().sorted(Comparator.comparingLong(Decision::epoch).thenComparingLong(Decision::sequence));
    }

    /** Whether a decision rests on a measurement. If not, its {@code asOfMillis} is its time of issue. */
    private static boolean isOnInput(Decision decision) {
        return decision.asOfMillis() != decision.issuedAtMillis();
    }

    private static long asOfMillis(List<Decision> run, Decision before, long lagMillis) {
        for (Decision decision : run) {
            if (isOnInput(decision)) {
                return decision.asOfMillis();
            }
        }
        Decision any = run.get(0);
        return before != null && !haveSameFigures(any, before) ? any.issuedAtMillis() - lagMillis : 0;
    }

    private static boolean haveSameFigures(Decision a, Decision b) {
        return a.samples() == b.samples()
                && a.measured() == b.measured()
                && a.low() == b.low()
                && a.high() == b.high()
                && a.objective() == b.objective();
    }

    private static List<QualityWindow> inOrder(List<QualityWindow> windows) {
        return windows.stream()
                .sorted(Comparator.comparingLong(QualityWindow::endMillis))
                .toList();
    }
}
