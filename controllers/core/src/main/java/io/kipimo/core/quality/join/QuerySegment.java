package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.QueryKey;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A hash table of queries whose ids are trace ids, with open addressing. A place has the two
 * numbers of the id, so finding a query reads no object of another query. A settled query needs no
 * object at all: its place has the few numbers that later events are compared with. So settled
 * queries, which are most, cost the collector nothing. Queries with other ids are in a map.
 *
 * <p>Mutable, for one thread. One that does not change any more can be read by others.
 */
public final class QuerySegment {
    /** Most components of a settled query without an object. */
    private static final int MOST_COMPONENTS = Long.SIZE / OpenQuery.PHASES;

    private static final int FIRST_PLACES = 4;

    /** 2^64 over the golden ratio. */
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    // Numbers of a place. The last three are set in settled queries only.
    private static final int HIGH = 0;
    private static final int LOW = 1;
    private static final int STARTED = 2;
    private static final int ARRIVED = 3;
    private static final int DUE = 4;
    private static final int NUMBERS = 5;

    /**
     * What settled queries of a service with the same components share. Their outcomes are not
     * kept, only their number.
     */
    private record Shape(String service, String[] components, Outcome[] named) {}

    private long[] numbers;

    /** Null, an {@link OpenQuery}, or the {@link Shape} of a settled query. */
    private Object[] values;

    private int used;
    private final Map<QueryKey, OpenQuery> others;
    private Shape lastShape;
    private final long salt;

    /**
     * @param salt of the hashes. Callers of a service may choose trace ids; without knowing it they
     *     cannot choose many that collide.
     */
    QuerySegment(long salt) {
        this.salt = salt;
        numbers = new long[FIRST_PLACES * NUMBERS];
        values = new Object[FIRST_PLACES];
        others = new HashMap<>();
    }

    private QuerySegment(QuerySegment from) {
        salt = from.salt;
        numbers = from.numbers.clone();
        values = from.values.clone();
        used = from.used;
        others = new HashMap<>(from.others);
        lastShape = from.lastShape;
    }

    /** A copy with the same queries. */
    QuerySegment copy() {
        return new QuerySegment(this);
    }

    /** Number of queries. */
    public int size() {
        return used + others.size();
    }

    /**
     * Finds a query.
     *
     * @param settled receives the state of a settled query, and is then the result
     * @return null if there is none
     */
    OpenQuery find(QueryKey key, OpenQuery settled) {
        if (!key.isTraceId()) {
            return others.get(key);
        }
        int place = placeOf(key);
        if (values[place] instanceof Shape shape) {
            fill(settled, place, shape);
            return settled;
        }
        return (OpenQuery) values[place];
    }

    /** Stores a query that is new or has changed. Keeps the object unless the query is settled. */
    void put(QueryKey key, OpenQuery query) {
        if (!key.isTraceId()) {
            others.put(key, query);
            return;
        }
        int place = placeOf(key);
        if (values[place] == null) {
            used++;
            if (2 * used > values.length) {
                grow();
                place = placeOf(key);
            }
            numbers[place * NUMBERS + HIGH] = key.traceIdHigh();
            numbers[place * NUMBERS + LOW] = key.traceIdLow();
        }
        if (isSettled(query)) {
            numbers[place * NUMBERS + STARTED] = query.startedAtMillis;
            numbers[place * NUMBERS + ARRIVED] = query.arrived;
            numbers[place * NUMBERS + DUE] = query.dueMillis();
            values[place] = shapeOf(key.service(), query);
        } else {
            query.service = key.service();
            values[place] = query;
        }
    }

    void remove(QueryKey key) {
        if (!key.isTraceId()) {
            others.remove(key);
            return;
        }
        int hole = placeOf(key);
        if (values[hole] == null) {
            return;
        }
        used--;
        // Moves later queries of the chain back, so that no search ends too early.
        int mask = values.length - 1;
        for (int next = hole + 1 & mask; values[next] != null; next = next + 1 & mask) {
            int home = home(numbers[next * NUMBERS + HIGH], numbers[next * NUMBERS + LOW]);
            if ((next - home & mask) >= (next - hole & mask)) {
                System.arraycopy(numbers, next * NUMBERS, numbers, hole * NUMBERS, NUMBERS);
                values[hole] = values[next];
                hole = next;
            }
        }
        values[hole] = null;
    }

    /** Receives queries. */
    public interface Receiver {
        /**
         * @param query valid during this call
         */
        void accept(QueryKey key, OpenQuery query) throws IOException;
    }

    /** Passes on all queries. */
    public void forEach(Receiver receiver) throws IOException {
        for (Map.Entry<QueryKey, OpenQuery> other : others.entrySet()) {
            receiver.accept(other.getKey(), other.getValue());
        }
        OpenQuery settled = new OpenQuery();
        for (int place = 0; place < values.length; place++) {
            if (values[place] == null) {
                continue;
            }
            OpenQuery query;
            if (values[place] instanceof Shape shape) {
                fill(settled, place, shape);
                query = settled;
            } else {
                query = (OpenQuery) values[place];
            }
            receiver.accept(
                    QueryKey.ofTraceId(
                            query.service,
                            numbers[place * NUMBERS + HIGH],
                            numbers[place * NUMBERS + LOW]),
                    query);
        }
    }

    /** Place of a trace id, or the free one at which its search ends. */
    private int placeOf(QueryKey key) {
        int mask = values.length - 1;
        int place = home(key.traceIdHigh(), key.traceIdLow());
        while (values[place] != null && !isAt(key, place)) {
            place = place + 1 & mask;
        }
        return place;
    }

    private boolean isAt(QueryKey key, int place) {
        return numbers[place * NUMBERS + LOW] == key.traceIdLow()
                && numbers[place * NUMBERS + HIGH] == key.traceIdHigh()
                && key.service()
                        .equals(
                                values[place] instanceof Shape shape
                                        ? shape.service()
                                        : ((OpenQuery) values[place]).service);
    }

    private int home(long high, long low) {
        // Not the bits of the segment, which are the upper ones.
        return (int) (hash(high, low, salt) >>> Integer.SIZE) & values.length - 1;
    }

    /** Hash code of a query. */
    static long hashOf(QueryKey key, long salt) {
        return key.isTraceId()
                ? hash(key.traceIdHigh(), key.traceIdLow(), salt)
                : hash(key.hashCode(), 0, salt);
    }

    private static long hash(long high, long low, long salt) {
        return mix(mix(high ^ salt) + low) * MULTIPLIER;
    }

    private static long mix(long value) {
        long product = value * MULTIPLIER;
        return product ^ product >>> Integer.SIZE;
    }

    private void grow() {
        long[] before = numbers;
        Object[] valuesBefore = values;
        numbers = new long[2 * before.length];
        values = new Object[2 * valuesBefore.length];
        int mask = values.length - 1;
        for (int from = 0; from < valuesBefore.length; from++) {
            if (valuesBefore[from] != null) {
                int to = home(before[from * NUMBERS + HIGH], before[from * NUMBERS + LOW]);
                while (values[to] != null) {
                    to = to + 1 & mask;
                }
                System.arraycopy(before, from * NUMBERS, numbers, to * NUMBERS, NUMBERS);
                values[to] = valuesBefore[from];
            }
        }
    }

    /** Whether the numbers of a place are enough for a query. */
    static boolean isSettled(OpenQuery query) {
        return query.measured
                && query.answered
                && !query.holdsResults()
                && !query.replayed
                && !query.replayFailed
                && !query.holdsEvents()
                && query.components.length <= MOST_COMPONENTS;
    }

    @SuppressWarnings("ReferenceEquality") // Most queries share these arrays; equal ones may not.
    private Shape shapeOf(String service, OpenQuery query) {
        if (lastShape == null
                || lastShape.components() != query.components
                || lastShape.named().length != query.invoked()
                || !lastShape.service().equals(service)) {
            Outcome[] named = new Outcome[query.invoked()];
            Arrays.fill(named, Outcome.IN_TIME);
            lastShape = new Shape(service, query.components, named);
        }
        return lastShape;
    }

    private void fill(OpenQuery settled, int place, Shape shape) {
        settled.settle(
                shape.service(),
                numbers[place * NUMBERS + STARTED],
                shape.components(),
                shape.named(),
                numbers[place * NUMBERS + ARRIVED]);
        settled.setDueMillis(numbers[place * NUMBERS + DUE]);
    }
}
