package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.AnswerFields;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.ComponentResult;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.Variants;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * State of one query until its tombstone is removed. Mutable, owned by one join. A measured query keeps only the fields
 * that later events are compared with. Stored by {@link OpenQueryFormat}.
 *
 * <p>Components have places: first those that the answer names, in its order, then others in the order of their
 * arrival.
 */
public final class OpenQuery {
    /** Number of phases of a component's results. */
    static final int PHASES = Phase.values().length;

    /** Up to this number of components a scan is faster than a table. */
    private static final int SCANNED_COMPONENTS = 16;

    /** First number of slots for results that arrive before the answer; many queries have few components. */
    private static final int ROOM = 4 * PHASES;

    /** Room for held events: many queries have few components, whose results come before the answer. */
    private static final int FEW_HELD = 4;

    private static final String[] NO_COMPONENTS = {};
    private static final int[] NO_TABLE = {};
    private static final ComponentResult[] NO_RESULTS = {};
    private static final long[] NOTHING = {};
    private static final Outcome[] NO_OUTCOMES = {};
    private static final long[] NO_LATENCIES = {};

    // The answer that the user got.
    boolean answered;
    String queryClass = "";
    long startedAtMillis;
    long answeredAtMillis;
    int deadlineMillis;
    int topK;
    Items answerItems = Items.NONE;
    Outcome[] outcomes = NO_OUTCOMES;
    long[] invocationLatenciesMicros = NO_LATENCIES;

    /** Features of the query, kept as long as the results. */
    Features features = Features.NONE;

    /** Expected loss by components that were not asked; not kept after the measurement. */
    Optional<Double> notAskedLoss = Optional.empty();

    /** Whether the exploration rule let the query ask all components. */
    boolean explored;

    String variant = Variants.NONE;

    // The replayed answer, for services that merge nothing.
    boolean replayed;
    boolean replayTruncated;
    long replayStartedAtMillis;
    long replayedAtMillis;
    Items replayedItems = Items.NONE;

    /** Whether an incomplete replay arrived. */
    boolean replayFailed;

    // The components, and the partial results by slot, which is place * PHASES + phase.

    /**
     * Names by place, with room for more. Many queries share the array of the answer's components, which has no room,
     * so a shared array is never changed.
     */
    private String[] components = NO_COMPONENTS;

    private int componentCount;

    /**
     * Places of many components: a table with open addressing and linear probing by the hash of the name. A mark is 1 +
     * place; 0: free. Empty until a place is looked up; not stored.
     */
    private int[] table = NO_TABLE;

    /** The components before this place await no result; 0 without an answer; not stored. */
    private int settledPlaces;

    /** Whether the result of each of the first 64 slots has arrived, one bit a slot. */
    private long arrived;

    /** Whether the result of each further slot has arrived, one bit a slot. */
    private long[] arrivedBeyond = NOTHING;

    /**
     * Results by slot, with room for more. They are the events themselves, so that items are decoded only for queries
     * that need them. Empty once the query is measured and profiled, or will not be profiled.
     */
    ComponentResult[] results = NO_RESULTS;

    /** Earliest start in a partial result, known or assumed; meaningless without partial results. */
    long earliestInvocationMillis = Long.MAX_VALUE;

    /** Start of the query according to a partial result that contains it; {@link Long#MAX_VALUE}: none does. */
    long knownStartMillis = Long.MAX_VALUE;

    /** Time of the query's earliest event, including held ones. */
    long earliestEventMillis = Long.MAX_VALUE;

    /** Held events: it is not yet decided whether they join the query. */
    List<SampledEvent> held = List.of();

    /** Whether some held event shows that the query was not removed. */
    boolean heldMayBegin;

    /** Whether some event was appended before the end of the window. */
    boolean inTime;

    /** Why the answer is not measurable by its own statement; null: not stated. Not kept after the measurement. */
    Unmeasurable unmeasurable;

    /** Whether the answer was truncated. */
    boolean truncated;

    /** Whether the measurement has been emitted; then this is a tombstone. */
    boolean measured;

    /** Time at which the join checks the query without an event, or an earlier time; event time, epoch milliseconds. */
    private long dueMillis;

    // Of the QueryStore that keeps this object.
    /** Number of snapshots before this object was made. */
    int snapshotsBefore;

    QueryKey key;

    // Of the key, so that finding a query does not read its key.
    private String service;
    private long idHigh;
    private long idLow;

    void setKey(QueryKey key) {
        this.key = key;
        service = key.service();
        idHigh = key.traceIdHigh();
        idLow = key.traceIdLow();
    }

    /** Whether this is the query of a key, after {@link #setKey}. */
    boolean isOf(QueryKey other) {
        return idLow == other.traceIdLow()
                && idHigh == other.traceIdHigh()
                && other.service().equals(service)
                && (other.isTraceId() || other.equals(key));
    }

    public long dueMillis() {
        return dueMillis;
    }

    public void setDueMillis(long millis) {
        dueMillis = millis;
    }

    public boolean isMeasured() {
        return measured;
    }

    /** Whether some event showed that the query is or was open. */
    public boolean hasBegun() {
        return answered || earliestInvocationMillis != Long.MAX_VALUE;
    }

    /** Whether an event contains the start of the query. */
    boolean knowsStart() {
        return answered || knownStartMillis != Long.MAX_VALUE;
    }

    /**
     * Start of the query, as far as known: from the answer, else from a partial result that knows it, else from the
     * first invocation of a component.
     */
    public long startedAtMillis() {
        if (answered) {
            return startedAtMillis;
        }
        return knowsStart() ? knownStartMillis : earliestInvocationMillis;
    }

    /**
     * Time after which no event can join, epoch milliseconds of event time: the end of the expiration window. While the
     * start is unknown, the window begins with the earliest event, because the query had started by then.
     */
    long settledMillis(QualitySettings settings) {
        return (knowsStart() ? startedAtMillis() : earliestEventMillis) + settings.expirationWindowMillis();
    }

    /**
     * Whether the same event is held. A component may be invoked twice, or a query replayed twice, and one of the two
     * may be late or fail; so both are held.
     */
    boolean holds(SampledEvent event) {
        // An iterator would be garbage for each held event.
        for (int i = 0; i < held.size(); i++) {
            SampledEvent one = held.get(i);
            if (one.phase() == event.phase()
                    && one.eventTimeMillis() == event.eventTimeMillis()
                    && Objects.equals(one.component(), event.component())) {
                return true;
            }
        }
        return false;
    }

    /** @param mayBegin whether the event shows that the query was not removed */
    void hold(SampledEvent event, boolean mayBegin) {
        if (held.isEmpty()) {
            held = new ArrayList<>(FEW_HELD);
        }
        held.add(event);
        heldMayBegin |= mayBegin;
        if (!event.isAnswer() && event.knowsStart()) {
            knownStartMillis = Math.min(knownStartMillis, event.startedAtMillis());
        }
        earliestEventMillis = Math.min(earliestEventMillis, event.eventTimeMillis());
    }

    boolean holdsEvents() {
        return !held.isEmpty();
    }

    /** Removes and returns the held events, in the order of arrival. */
    List<SampledEvent> release() {
        List<SampledEvent> released = held;
        held = List.of();
        heldMayBegin = false;
        return released;
    }

    /** Why the quality is not measurable from the answer; null: it is measurable. */
    Unmeasurable whyUnmeasurable() {
        return unmeasurable == null && !isDegraded() && !has(Outcome.IN_TIME)
                ? Unmeasurable.NO_COMPONENTS
                : unmeasurable;
    }

    /** Place of a component; -1 if it has none. */
    int placeOf(String component) {
        if (componentCount <= SCANNED_COMPONENTS) {
            for (int place = 0; place < componentCount; place++) {
                if (components[place].equals(component)) {
                    return place;
                }
            }
            return -1;
        }
        if (table.length < 2 * componentCount) {
            table = new int[Integer.highestOneBit(componentCount) << 2];
            for (int place = 0; place < componentCount; place++) {
                table[slotOf(components[place])] = place + 1;
            }
        }
        return table[slotOf(component)] - 1;
    }

    /** Slot of the table that has the component, or the free slot for it. */
    private int slotOf(String component) {
        int last = table.length - 1;
        // Fibonacci hashing: names that differ in their last characters spread.
        int slot = (component.hashCode() * 0x9E3779B9) >>> Integer.numberOfLeadingZeros(last);
        while (table[slot] != 0 && !components[table[slot] - 1].equals(component)) {
            slot = (slot + 1) & last;
        }
        return slot;
    }

    /** Gives a component the next place. */
    private void addComponent(String component) {
        if (componentCount == components.length) {
            components = Arrays.copyOf(components, Math.max(4, 2 * componentCount));
        }
        components[componentCount++] = component;
        if (table.length >= 2 * componentCount) {
            table[slotOf(component)] = componentCount;
        }
    }

    /** Sets all components by place; the array may be shared. */
    void setComponents(String[] all) {
        components = all;
        componentCount = all.length;
        table = NO_TABLE;
    }

    /** Number of components that have a place. */
    int componentCount() {
        return componentCount;
    }

    boolean has(int place, Phase phase) {
        return place >= 0 && hasArrived(place * PHASES + phase.ordinal());
    }

    boolean hasArrived(int slot) {
        return slot < Long.SIZE ? (arrived >>> slot & 1) != 0 : isSet(arrivedBeyond, slot - Long.SIZE);
    }

    void setArrived(int slot) {
        if (slot < Long.SIZE) {
            arrived |= 1L << slot;
            return;
        }
        int word = (slot - Long.SIZE) / Long.SIZE;
        if (word >= arrivedBeyond.length) {
            arrivedBeyond = Arrays.copyOf(arrivedBeyond, 2 * word + 1);
        }
        arrivedBeyond[word] |= 1L << slot;
    }

    private long[] arrivedBySlot() {
        long[] words = new long[1 + arrivedBeyond.length];
        words[0] = arrived;
        System.arraycopy(arrivedBeyond, 0, words, 1, arrivedBeyond.length);
        return words;
    }

    /** Whether a bit is set; false beyond the words. */
    private static boolean isSet(long[] words, int bit) {
        return bit < words.length * Long.SIZE && (words[bit / Long.SIZE] >>> bit & 1) != 0;
    }

    /** The result that arrived; null if none did. */
    ComponentResult result(int place, Phase phase) {
        return results.length == 0 ? null : results[place * PHASES + phase.ordinal()];
    }

    /** The outcome that the answer names; null if it does not name the component. */
    public Outcome outcome(int place) {
        return place >= 0 && place < outcomes.length ? outcomes[place] : null;
    }

    /** Whether some component that was asked is not in the answer. */
    public boolean isDegraded() {
        return has(Outcome.TIMED_OUT) || has(Outcome.FAILED);
    }

    /** Whether the front end chose not to ask some component. */
    public boolean isTrimmed() {
        return has(Outcome.NOT_ASKED);
    }

    boolean isAnyFailed() {
        return has(Outcome.FAILED);
    }

    private boolean has(Outcome wanted) {
        for (Outcome outcome : outcomes) {
            if (outcome == wanted) {
                return true;
            }
        }
        return false;
    }

    /** Whether the final result of some component may still arrive. */
    boolean awaitsResult() {
        while (settledPlaces < outcomes.length) {
            Phase phase = QueryJoin.finalPhase(outcomes[settledPlaces]);
            if (phase != null && !has(settledPlaces, phase)) {
                return true;
            }
            settledPlaces++;
        }
        return false;
    }

    void take(SampledEvent event) {
        earliestEventMillis = Math.min(earliestEventMillis, event.eventTimeMillis());
        if (!event.isAnswer()) {
            takePartial(event);
        } else if (event.answerFields().kind() == AnswerKind.ONLINE) {
            takeAnswer(event);
        } else if (isMature(event)) {
            replayed = true;
            replayTruncated = event.isTruncated();
            replayStartedAtMillis = event.startedAtMillis();
            replayedAtMillis = event.eventTimeMillis();
            replayedItems = measured ? Items.NONE : event.items();
        } else {
            replayFailed = true;
        }
    }

    /**
     * Whether a replay is complete. A replay that failed, was cut, or did not ask a component is not a mature answer.
     */
    static boolean isMature(SampledEvent replay) {
        AnswerFields answer = replay.answerFields();
        for (Outcome outcome : answer.invoked().outcomes()) {
            if (outcome != Outcome.IN_TIME) {
                return false;
            }
        }
        return answer.unmeasurable() == null;
    }

    private void takePartial(SampledEvent event) {
        int place = placeOf(event.component());
        if (place < 0) {
            place = componentCount;
            addComponent(event.component());
            makeRoom();
        }
        int slot = place * PHASES + event.phase().ordinal();
        setArrived(slot);
        if (keepsResults()) {
            results[slot] = event;
        }
        earliestInvocationMillis = Math.min(earliestInvocationMillis, event.startedAtMillis());
        if (event.knowsStart()) {
            knownStartMillis = Math.min(knownStartMillis, event.startedAtMillis());
        }
    }

    private void takeAnswer(SampledEvent event) {
        answered = true;
        truncated |= event.isTruncated();
        startedAtMillis = event.startedAtMillis();
        answeredAtMillis = event.eventTimeMillis();
        answerItems = event.items();
        AnswerFields answer = event.answerFields();
        queryClass = answer.queryClass();
        deadlineMillis = answer.deadlineMillis();
        topK = answer.topK();
        unmeasurable = answer.unmeasurable();
        outcomes = answer.invoked().outcomes();
        invocationLatenciesMicros = answer.invoked().latenciesMicros();
        features = answer.features();
        notAskedLoss = answer.notAskedLoss();
        explored = answer.explored();
        variant = answer.variant();
        arrange(answer.invoked().names());
    }

    /** Makes room for the results of the last component, and of some more. */
    private void makeRoom() {
        int slots = componentCount * PHASES;
        if (keepsResults() && results.length < slots) {
            results = Arrays.copyOf(results, Math.max(2 * slots, ROOM));
        }
    }

    /** Gives these components the first places. */
    private void arrange(String[] named) {
        String[] before = components;
        int countBefore = componentCount;
        // Results that come before the answer are held, unless they contain the start.
        boolean isFirst = countBefore == 0;
        long[] arrivedBefore = isFirst ? NOTHING : arrivedBySlot();
        ComponentResult[] resultsBefore = results;
        setComponents(named);
        arrived = 0;
        arrivedBeyond = NOTHING;
        int[] places = isFirst ? NO_TABLE : new int[countBefore];
        for (int place = 0; place < countBefore; place++) {
            places[place] = placeOf(before[place]);
            if (places[place] < 0) {
                places[place] = componentCount;
                addComponent(before[place]);
            }
        }
        boolean keepsResults = keepsResults();
        results = keepsResults ? new ComponentResult[componentCount * PHASES] : NO_RESULTS;
        for (int place = 0; place < countBefore; place++) {
            int to = places[place] * PHASES;
            for (int phase = 0; phase < PHASES; phase++) {
                if (isSet(arrivedBefore, place * PHASES + phase)) {
                    setArrived(to + phase);
                }
            }
            if (keepsResults) {
                System.arraycopy(resultsBefore, place * PHASES, results, to, PHASES);
            }
        }
    }

    /** Marks the query as measured. It keeps the fields that later events are compared with, and results to profile. */
    void markMeasured() {
        measured = true;
        answerItems = Items.NONE;
        replayedItems = Items.NONE;
        notAskedLoss = Optional.empty();
        invocationLatenciesMicros = NO_LATENCIES;
    }

    private boolean keepsResults() {
        return !measured || holdsResults();
    }

    /** Whether the query holds its results or room for them; it may be measured already. */
    public boolean holdsResults() {
        return results.length > 0;
    }

    /** Leaves only the fields that later events are compared with. */
    public void discardResults() {
        results = NO_RESULTS;
        features = Features.NONE;
    }

    /** Whether the query holds the final result of every component that was asked. */
    public boolean hasAllResults() {
        for (int place = 0; place < outcomes.length; place++) {
            if (outcomes[place] != Outcome.NOT_ASKED && finalResult(place) == null) {
                return false;
            }
        }
        return answered;
    }

    /**
     * The final result of a component; null if it has not arrived or never will. A result does not count if it is of a
     * copy of the request, of a request that the front end had given up, or of a component that it did not ask. Such
     * results may arrive before or after the measurement.
     */
    ComponentResult finalResult(int place) {
        Phase phase = QueryJoin.finalPhase(outcomes[place]);
        return phase == null ? null : result(place, phase);
    }

    /** Priority class of the query; empty until the answer has arrived. */
    public String queryClass() {
        return queryClass;
    }

    /** Time of the answer, epoch milliseconds. */
    public long answeredAtMillis() {
        return answeredAtMillis;
    }

    /**
     * How long the mature execution took, milliseconds.
     *
     * @param lastMillis time of the last result
     */
    long matureMillis(long lastMillis) {
        return replayStartedAtMillis > 0 ? replayedAtMillis - replayStartedAtMillis : lastMillis - startedAtMillis;
    }

    /** Deadline of the answer, milliseconds after the start; 0: not known. */
    public int deadlineMillis() {
        return deadlineMillis;
    }

    /** Size of the answer; 0: the service's default. */
    public int topK() {
        return topK;
    }

    /** Features of the query, as long as it holds its results. */
    public Features features() {
        return features;
    }

    /** Number of results from components that the answer does not name. */
    public int unnamedResults() {
        if (!answered || componentCount == invoked()) {
            return 0;
        }
        int unnamed = 0;
        for (int slot = invoked() * PHASES; slot < componentCount * PHASES; slot++) {
            unnamed += hasArrived(slot) ? 1 : 0;
        }
        return unnamed;
    }

    /** Whether items of the answer, or of a final result, were truncated. */
    boolean isAnyTruncated() {
        boolean any = truncated;
        for (int place = 0; place < outcomes.length; place++) {
            ComponentResult result = finalResult(place);
            any |= result != null && result.isTruncated();
        }
        return any;
    }

    /** Number of components that the answer names; they have the first places. */
    public int invoked() {
        return outcomes.length;
    }

    /** Component at a place. */
    public String component(int place) {
        return components[place];
    }

    /** Items of the held final result of an invoked component; null without one. */
    public Items items(int place) {
        ComponentResult result = finalResult(place);
        return result == null ? null : result.items();
    }

    /** Completion of the held final result of an invoked component, epoch milliseconds; 0 without one. */
    public long completedAtMillis(int place) {
        ComponentResult result = finalResult(place);
        return result == null ? 0 : result.eventTimeMillis();
    }

    /** Latency of the held final result of a component since its invocation, microseconds; 0 without one. */
    public long latencyMicros(int place) {
        ComponentResult result = finalResult(place);
        return result == null ? 0 : result.latencyMicros();
    }

    /** An independent copy. */
    public OpenQuery copy() {
        OpenQuery copy = new OpenQuery();
        copy.answered = answered;
        copy.queryClass = queryClass;
        copy.startedAtMillis = startedAtMillis;
        copy.answeredAtMillis = answeredAtMillis;
        copy.deadlineMillis = deadlineMillis;
        copy.topK = topK;
        copy.answerItems = answerItems;
        copy.outcomes = outcomes;
        copy.invocationLatenciesMicros = invocationLatenciesMicros;
        copy.features = features;
        copy.notAskedLoss = notAskedLoss;
        copy.explored = explored;
        copy.variant = variant;
        copy.replayed = replayed;
        copy.replayTruncated = replayTruncated;
        copy.replayFailed = replayFailed;
        copy.replayStartedAtMillis = replayStartedAtMillis;
        copy.replayedAtMillis = replayedAtMillis;
        copy.replayedItems = replayedItems;
        // A shared array has no room.
        copy.components = components.length == componentCount ? components : Arrays.copyOf(components, componentCount);
        copy.componentCount = componentCount;
        copy.settledPlaces = settledPlaces;
        copy.arrived = arrived;
        copy.arrivedBeyond = arrivedBeyond.length == 0 ? NOTHING : arrivedBeyond.clone();
        copy.results = results.length == 0 ? NO_RESULTS : results.clone();
        copy.earliestInvocationMillis = earliestInvocationMillis;
        copy.knownStartMillis = knownStartMillis;
        copy.earliestEventMillis = earliestEventMillis;
        copy.held = held.isEmpty() ? held : new ArrayList<>(held);
        copy.heldMayBegin = heldMayBegin;
        copy.inTime = inTime;
        copy.unmeasurable = unmeasurable;
        copy.truncated = truncated;
        copy.measured = measured;
        copy.dueMillis = dueMillis;
        copy.key = key;
        copy.service = service;
        copy.idHigh = idHigh;
        copy.idLow = idLow;
        return copy;
    }
}
