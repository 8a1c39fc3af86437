package io.kipimo.core.quality.join;

import io.kipimo.schemas.codec.SampledEvent;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Phase;
import java.util.Arrays;

/**
 * Everything known of one query, until its tombstone goes. Mutable, owned by one join; one compact
 * object, of which a measured query keeps only what later events are compared with. Stored by
 * {@link OpenQueryFormat}.
 *
 * <p>Components have places: those that the answer names come first, in its order, then others in
 * the order of their arrival. The array of the answer's components is shared by many queries and
 * never changed.
 */
public final class OpenQuery {
    /** Phases a component. */
    static final int PHASES = Phase.values().length;

    private static final String[] NOBODY = {};
    private static final Result[] NO_RESULTS = {};
    private static final boolean[] NOTHING = {};
    private static final Outcome[] NO_OUTCOMES = {};
    private static final long[] NO_LATENCIES = {};

    // The answer: what the user got.
    boolean answered;
    String queryClass = "";
    long startedAtMillis;
    long answeredAtMillis;
    int topK;
    Items answerItems = Items.NONE;
    Outcome[] outcomes = NO_OUTCOMES;
    long[] invocationLatenciesMicros = NO_LATENCIES;

    // The replayed answer, for services that merge nothing.
    boolean replayed;
    long replayStartedAtMillis;
    long replayedAtMillis;
    Items replayedItems = Items.NONE;

    // The components; of the partial results, place * PHASES + phase.
    String[] components = NOBODY;
    boolean[] arrived = NOTHING;

    /** Empty once the query is measured. */
    Result[] results = NO_RESULTS;

    /** Least start that a partial result knows of; meaningless without partial results. */
    long earliestInvocationMillis = Long.MAX_VALUE;

    boolean truncated;

    /** The measurement has been emitted; what is left is a tombstone. */
    boolean measured;

    /** When the join looks at it without an event, or earlier; epoch milliseconds of event time. */
    private long dueMillis;

    public long dueMillis() {
        return dueMillis;
    }

    public void setDueMillis(long millis) {
        dueMillis = millis;
    }

    public boolean isMeasured() {
        return measured;
    }

    boolean isNew() {
        return !answered && !replayed && earliestInvocationMillis == Long.MAX_VALUE;
    }

    /**
     * When the query started, as far as is known: by the answer, else by the earliest partial
     * result.
     */
    long startedAtMillis() {
        if (answered) {
            return startedAtMillis;
        }
        return replayed && earliestInvocationMillis == Long.MAX_VALUE
                ? replayStartedAtMillis
                : earliestInvocationMillis;
    }

    /** Place of a component; -1 if nothing is known of it. */
    int placeOf(String component) {
        for (int place = 0; place < components.length; place++) {
            if (components[place].equals(component)) {
                return place;
            }
        }
        return -1;
    }

    boolean has(int place, Phase phase) {
        return place >= 0 && arrived[place * PHASES + phase.ordinal()];
    }

    /** The result that came; null if none did. */
    Result result(int place, Phase phase) {
        return results.length == 0 ? null : results[place * PHASES + phase.ordinal()];
    }

    int invoked() {
        return outcomes.length;
    }

    /** The outcome that the answer names; null if it does not name the component. */
    Outcome outcome(int place) {
        return place >= 0 && place < outcomes.length ? outcomes[place] : null;
    }

    boolean isDegraded() {
        for (Outcome outcome : outcomes) {
            if (outcome != Outcome.IN_TIME) {
                return true;
            }
        }
        return false;
    }

    void take(SampledEvent event) {
        truncated |= event.isTruncated();
        if (!event.isAnswer()) {
            takePartial(event);
        } else if (event.kind() == AnswerKind.ONLINE) {
            takeAnswer(event);
        } else {
            replayed = true;
            replayStartedAtMillis = event.startedAtMillis();
            replayedAtMillis = event.eventTimeMillis();
            replayedItems = measured ? Items.NONE : event.items();
        }
    }

    private void takePartial(SampledEvent event) {
        int place = placeOf(event.component());
        if (place < 0) {
            place = components.length;
            String[] longer = Arrays.copyOf(components, place + 1);
            longer[place] = event.component();
            arrange(longer);
        }
        int slot = place * PHASES + event.phase().ordinal();
        arrived[slot] = true;
        // The items of in-time results of a query that was measured without them end here.
        if (!measured) {
            results[slot] =
                    new Result(event.eventTimeMillis(), event.latencyMicros(), event.items());
        }
        earliestInvocationMillis = Math.min(earliestInvocationMillis, event.startedAtMillis());
    }

    private void takeAnswer(SampledEvent event) {
        answered = true;
        queryClass = event.queryClass();
        startedAtMillis = event.startedAtMillis();
        answeredAtMillis = event.eventTimeMillis();
        topK = event.topK();
        answerItems = event.items();
        outcomes = event.outcomes();
        invocationLatenciesMicros = event.invocationLatenciesMicros();
        String[] named = event.invokedComponents();
        int others = 0;
        for (String component : components) {
            others += contains(named, component) ? 0 : 1;
        }
        if (others == 0) {
            arrange(named);
        } else {
            String[] all = Arrays.copyOf(named, named.length + others);
            int place = named.length;
            for (String component : components) {
                if (!contains(named, component)) {
                    all[place++] = component;
                }
            }
            arrange(all);
        }
    }

    private static boolean contains(String[] names, String name) {
        for (String one : names) {
            if (one.equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** Gives the components these places; those that are known are among them. */
    private void arrange(String[] places) {
        String[] before = components;
        boolean[] arrivedBefore = arrived;
        Result[] resultsBefore = results;
        components = places;
        arrived = new boolean[places.length * PHASES];
        results = measured ? NO_RESULTS : new Result[places.length * PHASES];
        for (int place = 0; place < before.length; place++) {
            int to = placeOf(before[place]) * PHASES;
            System.arraycopy(arrivedBefore, place * PHASES, arrived, to, PHASES);
            if (!measured) {
                System.arraycopy(resultsBefore, place * PHASES, results, to, PHASES);
            }
        }
    }

    /** Keeps what later events are compared with, and lets go of everything else. */
    void bury() {
        measured = true;
        results = NO_RESULTS;
        answerItems = Items.NONE;
        replayedItems = Items.NONE;
        invocationLatenciesMicros = NO_LATENCIES;
    }

    /** A copy that does not change when this one does. */
    public OpenQuery copy() {
        OpenQuery copy = new OpenQuery();
        copy.answered = answered;
        copy.queryClass = queryClass;
        copy.startedAtMillis = startedAtMillis;
        copy.answeredAtMillis = answeredAtMillis;
        copy.topK = topK;
        copy.answerItems = answerItems;
        copy.outcomes = outcomes;
        copy.invocationLatenciesMicros = invocationLatenciesMicros;
        copy.replayed = replayed;
        copy.replayStartedAtMillis = replayStartedAtMillis;
        copy.replayedAtMillis = replayedAtMillis;
        copy.replayedItems = replayedItems;
        copy.components = components;
        copy.arrived = arrived.clone();
        copy.results = results.clone();
        copy.earliestInvocationMillis = earliestInvocationMillis;
        copy.truncated = truncated;
        copy.measured = measured;
        copy.dueMillis = dueMillis;
        return copy;
    }
}
