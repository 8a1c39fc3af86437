package io.kipimo.gateway.record;

import io.kipimo.core.quality.deadline.UnusedResults;
import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Variants;
import io.kipimo.sdk.trace.TraceParent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A query in progress, with the outcome of each component that it invoked. A sampled query stays until its late results
 * have arrived. Thread-safe.
 */
public final class FrontQuery {
    private static final int MOST_COMPONENTS = 10_000;

    private final TraceParent trace;
    private final String queryClass;
    private double cost;
    private String variant = Variants.NONE;
    private Features features = Features.NONE;
    private Optional<FanOutChoice> choice = Optional.empty();
    private Set<String> notAsked = Set.of();
    private final long startedAtMillis;
    private final long beganNanos = System.nanoTime();
    private final boolean sampled;
    private final boolean replay;

    /** Whether the front end does not pass through this gateway, so that the start of the query is unknown here. */
    private final boolean elsewhere;

    // Guarded by this.
    private final Map<String, TrackedCall> calls = new LinkedHashMap<>();
    private final List<PartialResult> online = new ArrayList<>();
    private boolean answered;
    private long answeredNanos;
    private boolean unreadable;
    private boolean unmeasurable;
    private Runnable whenSettled;

    private enum CallState {
        PENDING,
        RETURNED,
        /** The caller left. */
        ABANDONED,
        FAILED
    }

    private static final class TrackedCall {
        final long invokedNanos;
        CallState state = CallState.PENDING;
        long settledNanos;

        /** Requests after the first one that have no successful response so far. */
        int others;

        /** Whether no further event of the call is expected. */
        boolean ended;

        TrackedCall(long invokedNanos) {
            this.invokedNanos = invokedNanos;
        }
    }

    /**
     * @param sampled whether its responses are recorded
     * @param replay whether this is the replay of a query
     */
    FrontQuery(TraceParent trace, String queryClass, long startedAtMillis, boolean sampled, boolean replay) {
        this(trace, queryClass, startedAtMillis, sampled, replay, false);
    }

    private FrontQuery(
            TraceParent trace,
            String queryClass,
            long startedAtMillis,
            boolean sampled,
            boolean replay,
            boolean elsewhere) {
        this.trace = trace;
        this.queryClass = queryClass;
        this.startedAtMillis = startedAtMillis;
        this.sampled = sampled;
        this.replay = replay;
        this.elsewhere = elsewhere;
    }

    /** Sets the predicted cost; called before the query is used. */
    FrontQuery costing(double predicted) {
        cost = predicted;
        return this;
    }

    /**
     * Sets which components the query asks; called before the query is used.
     *
     * @param all components of the service
     */
    FrontQuery asking(Features known, List<String> all, FanOutChoice chosen) {
        features = known;
        choice = Optional.of(chosen);
        Set<String> left = new LinkedHashSet<>(all);
        chosen.asked().forEach(left::remove);
        notAsked = left;
        return this;
    }

    /** Features of the query, which were known before it asked its components. */
    Features features() {
        return features;
    }

    /** The choice of the components that the query asks; empty: nothing was chosen, so the front end asks all. */
    public Optional<FanOutChoice> choice() {
        return choice;
    }

    /** Whether the query leaves a component out. */
    boolean isNotAsked(String component) {
        return notAsked.contains(component);
    }

    /** Predicted cost; 0: unknown. */
    double cost() {
        return cost;
    }

    /** Sets the variant that the answering server has named; called before the answer is recorded. */
    public void answeredBy(String named) {
        variant = named;
    }

    /** Variant of the server that answered, as this server named it; may be any text; empty: none. */
    String variant() {
        return variant;
    }

    /** A sampled query whose front end does not pass through this gateway. */
    static FrontQuery elsewhere(TraceParent trace, String queryClass, long seenAtMillis) {
        return new FrontQuery(trace, queryClass, seenAtMillis, true, false, true);
    }

    public TraceParent trace() {
        return trace;
    }

    public String queryClass() {
        return queryClass;
    }

    public long startedAtMillis() {
        return startedAtMillis;
    }

    /** When the query reached the front end, epoch milliseconds; 0: unknown. */
    long knownStartMillis() {
        return elsewhere ? 0 : startedAtMillis;
    }

    public boolean isSampled() {
        return sampled;
    }

    public boolean isReplay() {
        return replay;
    }

    /** Classifies a request of a query to one component. */
    enum RequestKind {
        FIRST,
        /** A further request to the same component. Only whether it is answered in time counts. */
        FURTHER,
        /** Not counted: the answer has been sent, or the query has too many components. */
        IGNORED
    }

    synchronized RequestKind invoked(String component, long nanos) {
        TrackedCall call = calls.get(component);
        if (answered || (call == null && calls.size() >= MOST_COMPONENTS)) {
            return RequestKind.IGNORED;
        }
        if (call != null) {
            call.others++;
            return RequestKind.FURTHER;
        }
        calls.put(component, new TrackedCall(nanos));
        return RequestKind.FIRST;
    }

    /** Records that a further request to the component got a successful response. */
    synchronized void returnedFurther(String component) {
        if (!answered) {
            calls.get(component).others--;
        }
    }

    /** Records that the caller left. */
    synchronized void abandoned(String component) {
        TrackedCall call = calls.get(component);
        if (call.state == CallState.PENDING) {
            call.state = CallState.ABANDONED;
        }
    }

    /**
     * Records that the component answered.
     *
     * @param readable false: the response was parsed and is unreadable
     * @return whether the query's answer could contain this response
     */
    synchronized boolean returned(String component, long nanos, boolean readable) {
        TrackedCall call = calls.get(component);
        boolean inTime = call.state == CallState.PENDING && !answered;
        if (inTime) {
            unreadable |= !readable;
            call.state = CallState.RETURNED;
            call.settledNanos = nanos;
        }
        return inTime;
    }

    /**
     * Keeps a result that was in time until the answer has been sent.
     *
     * @return false: the answer has been sent already
     */
    synchronized boolean keep(PartialResult partial) {
        if (answered || elsewhere) {
            return false;
        }
        online.add(partial);
        return true;
    }

    /** Whether a result that the answer could contain is unreadable. */
    synchronized boolean isUnreadable() {
        return unreadable;
    }

    /** Marks the answer as not measurable, so late results are not recorded. */
    synchronized void unmeasurable() {
        unmeasurable = true;
    }

    synchronized boolean isUnmeasurable() {
        return unmeasurable;
    }

    synchronized void failed(String component, long nanos) {
        TrackedCall call = calls.get(component);
        if (call.state == CallState.PENDING && !answered) {
            call.state = CallState.FAILED;
            call.settledNanos = nanos;
        }
    }

    /** Records that no further event of the component is expected. */
    void ended(String component) {
        Runnable then;
        synchronized (this) {
            calls.get(component).ended = true;
            then = takeWhenSettled();
        }
        then.run();
    }

    /** Runs a task once the answer has been sent and all components have ended. */
    public void whenSettled(Runnable task) {
        Runnable then;
        synchronized (this) {
            whenSettled = task;
            then = takeWhenSettled();
        }
        then.run();
    }

    private Runnable takeWhenSettled() {
        boolean settled = answered && calls.values().stream().allMatch(call -> call.ended);
        if (!settled || whenSettled == null) {
            return () -> {};
        }
        Runnable then = whenSettled;
        whenSettled = null;
        return then;
    }

    /**
     * Ends the online phase when the answer is sent. Components without a response have timed out. A component that the
     * query leaves out counts as not asked, unless something asked it all the same.
     */
    synchronized List<Invocation> answer(long nanos) {
        answered = true;
        answeredNanos = nanos;
        List<Invocation> invocations = new ArrayList<>(calls.size() + notAsked.size());
        calls.forEach((component, call) -> {
            boolean settled = call.state == CallState.RETURNED || call.state == CallState.FAILED;
            invocations.add(new Invocation(
                    component, outcome(call), ((settled ? call.settledNanos : nanos) - call.invokedNanos) / 1_000));
        });
        for (String component : notAsked) {
            if (!calls.containsKey(component)) {
                invocations.add(new Invocation(component, Outcome.NOT_ASKED, 0));
            }
        }
        return invocations;
    }

    /** Time since this gateway first saw the query, microseconds. */
    long ageMicros() {
        return (System.nanoTime() - beganNanos) / 1_000;
    }

    private static Outcome outcome(TrackedCall call) {
        return switch (call.state) {
            // A failed further request leaves a gap that no recorded result fills.
            case RETURNED -> call.others == 0 ? Outcome.IN_TIME : Outcome.FAILED;
            case PENDING, ABANDONED -> Outcome.TIMED_OUT;
            case FAILED -> Outcome.FAILED;
        };
    }

    /**
     * Whether the answer may lack a result that counts as in time; called after {@link #answer}.
     *
     * @param deadlineMillis of the answer; 0: unknown
     */
    synchronized boolean mayLackResults(int deadlineMillis) {
        boolean isWhole = true;
        long latestNanos = beganNanos;
        for (TrackedCall call : calls.values()) {
            boolean inTime = outcome(call) == Outcome.IN_TIME;
            isWhole &= inTime;
            latestNanos = inTime ? Math.max(latestNanos, call.settledNanos) : latestNanos;
        }
        return UnusedResults.areConceivable(
                deadlineMillis, answeredNanos - beganNanos, isWhole, latestNanos - beganNanos);
    }

    /** Results of components that were in time. */
    synchronized List<PartialResult> takeOnline() {
        List<PartialResult> taken = online.stream()
                .filter(p -> outcome(calls.get(p.component())) == Outcome.IN_TIME)
                .toList();
        online.clear();
        return taken;
    }

    /** Time since the answer was sent, microseconds; 0 before. */
    synchronized long lateMicros(long nanos) {
        return answered ? Math.max(0, nanos - answeredNanos) / 1_000 : 0;
    }

    synchronized long latencyMicros(String component, long nanos) {
        return (nanos - calls.get(component).invokedNanos) / 1_000;
    }
}
