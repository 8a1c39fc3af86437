package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.Candidate;
import io.kipimo.core.invalidation.CapacityPlan;
import io.kipimo.core.invalidation.InvalidationRule;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.invalidation.filter.FilterIndex;
import io.kipimo.core.invalidation.filter.Grid;
import io.kipimo.operators.invalidation.InvalidationMetrics.Count;
import io.kipimo.operators.isolation.Isolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Admits queries to the cells of their column within the column's part of the budget, keyed by column. A query that is
 * not admitted or cannot be matched gets a refusal: it has no notifications, so it must not be cached for longer than
 * without invalidation. The refusal says how long to wait before the next try: ten seconds, the interval of plans, and
 * twice as long after each further refusal, up to ten minutes. A query that cannot be matched waits ten minutes.
 *
 * <p>The worth of a query is the number of hits that caching it saves. The ttl job estimates the worth from the query's
 * reads; until then the rate of evaluations at the origin is used. If a new query does not fit, a {@link CapacityPlan}
 * for all queries is made, at most every ten seconds. Evicted queries are refused from then on. Queries that the plan
 * admits enter with their next subscription, since their last result is outdated by then.
 */
final class QueryGate extends KeyedCoProcessFunction<Integer, SubscriptionChange, QueryWorth, CellInput> {
    /** Side output of notifications for registrations that are not matched: refusals and unknown results. */
    static final OutputTag<Notification> UNWATCHED =
            new OutputTag<>("unwatched-queries", InvalidationFormats.NOTIFICATION.typeInfo());

    /** Cost of a query that is tested against every write; a query that is looked up costs 1. */
    private static final long COST_OF_ALL_WRITES = 100;

    private static final long PLAN_EVERY_MILLIS = 10_000;

    /** Longest waiting time after a refusal. */
    private static final long LONGEST_RETRY_MILLIS = 600_000;

    /** Limit of doublings of the waiting time. */
    private static final int MOST_DOUBLINGS = 6;

    /** Share by which a new query must be better than an admitted one to displace it. */
    private static final double LOYALTY = 0.2;

    private final InvalidationSettings settings;
    private transient Grid grid;
    private transient MapState<String, GateEntry> entries;
    private transient ValueState<long[]> account;
    private transient InvalidationMetrics metrics;
    private transient Isolation isolation;

    QueryGate(InvalidationSettings settings) {
        this.settings = settings;
    }

    static MapStateDescriptor<String, GateEntry> entriesDescriptor() {
        return new MapStateDescriptor<>("gate-entries", Types.STRING, InvalidationFormats.ENTRY.typeInfo());
    }

    /**
     * State with two values: the cost of the admitted queries, and the earliest time of the next plan, epoch
     * milliseconds.
     */
    static ValueStateDescriptor<long[]> accountDescriptor() {
        return new ValueStateDescriptor<>("gate-account", PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO);
    }

    @Override
    public void open(OpenContext context) {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
        grid = settings.grid();
        entries = getRuntimeContext().getMapState(entriesDescriptor());
        account = getRuntimeContext().getState(accountDescriptor());
        metrics = new InvalidationMetrics(getRuntimeContext().getMetricGroup());
    }

    @Override
    public void processElement2(QueryWorth worth, Context ctx, Collector<CellInput> out) throws Exception {
        isolation.run(worth.subscription(), () -> rate(worth, ctx, out));
    }

    private void rate(QueryWorth worth, Context ctx, Collector<CellInput> out) throws Exception {
        GateEntry entry = entries.get(worth.subscription());
        // The worth of an unknown query is reported again with its next reads.
        if (entry != null) {
            entries.put(worth.subscription(), entry.saving(worth.hitsSavedPerSecond()));
        }
    }

    @Override
    public void processElement1(SubscriptionChange change, Context ctx, Collector<CellInput> out) throws Exception {
        if (!isolation.run(change.subscription(), () -> admit(change, ctx, out))) {
            metrics.count(Count.REFUSED_QUERIES);
            change.terms()
                    .ifPresent(terms -> ctx.output(
                            UNWATCHED,
                            Notification.refused(terms.id(), terms.registeredMillis(), LONGEST_RETRY_MILLIS, rule())));
        }
    }

    private void admit(SubscriptionChange change, Context ctx, Collector<CellInput> out) throws Exception {
        long[] held = account.value();
        long[] accounts = held == null ? new long[] {0, Long.MIN_VALUE} : held.clone();
        GateEntry entry = entries.get(change.subscription());
        if (change.terms().isEmpty()) {
            if (entry != null) {
                entries.remove(change.subscription());
                accounts[0] -= entry.isAdmitted() ? entry.cost() : 0;
                end(change.subscription(), out);
            }
            if (change.refusedMillis().isPresent()) {
                metrics.count(Count.REFUSED_QUERIES);
                QueryId id = change.refusedId();
                ctx.output(UNWATCHED, Notification.refused(id, id.registeredMillis(), LONGEST_RETRY_MILLIS, rule()));
            }
        } else {
            QueryTerms terms = change.terms().get();
            if (entry == null || entry.id().registeredMillis() < terms.registeredMillis()) {
                admitOrRefuse(terms, entry, accounts, ctx, out);
            } else {
                // It is older than the known registration, and its result may lack writes.
                ctx.output(UNWATCHED, ResultFunction.unknown(terms.id(), terms.registeredMillis(), rule()));
            }
        }
        account.update(accounts);
    }

    private void admitOrRefuse(
            QueryTerms terms, GateEntry former, long[] accounts, Context ctx, Collector<CellInput> out)
            throws Exception {
        String subscription = terms.id().subscription();
        long cost = FilterIndex.canLookUp(terms.query().filter()) ? 1 : COST_OF_ALL_WRITES;
        GateEntry entry = (former == null ? GateEntry.unknown(terms.id(), cost) : former).evaluated(terms.id(), cost);
        if (entry.isAdmitted()) {
            accounts[0] -= former.cost();
            entry = entry.notAdmitted();
        }
        entries.put(subscription, entry);
        if (accounts[0] + cost > budget() && terms.registeredMillis() >= accounts[1]) {
            accounts[1] = terms.registeredMillis() + PLAN_EVERY_MILLIS;
            makeRoom(subscription, former != null && former.isAdmitted(), terms, accounts, ctx, out);
        }
        if (accounts[0] + cost <= budget()) {
            accounts[0] += cost;
            entries.put(subscription, entry.admitted());
            int column = grid.column(subscription);
            for (int row = 0; row < grid.rows(); row++) {
                out.collect(new CellInput.Register(grid.cell(column, row), terms));
            }
        } else {
            metrics.count(Count.REFUSED_QUERIES);
            if (former != null && former.isAdmitted()) {
                end(subscription, out);
            }
            refuse(entry, terms.registeredMillis(), ctx);
        }
    }

    private void makeRoom(
            String newcomer,
            boolean wasAdmitted,
            QueryTerms terms,
            long[] accounts,
            Context ctx,
            Collector<CellInput> out)
            throws Exception {
        long now = terms.registeredMillis();
        List<Candidate> candidates = new ArrayList<>();
        List<String> forgotten = new ArrayList<>();
        for (Map.Entry<String, GateEntry> each : entries.entries()) {
            GateEntry entry = each.getValue();
            boolean isNewcomer = each.getKey().equals(newcomer);
            if (!entry.isAdmitted() && !isNewcomer && entry.demandAt(now) < 0.5) {
                forgotten.add(each.getKey());
            } else {
                candidates.add(new Candidate(
                        each.getKey(),
                        entry.worthAt(now),
                        entry.cost(),
                        entry.isAdmitted() || (isNewcomer && wasAdmitted)));
            }
        }
        for (String key : forgotten) {
            entries.remove(key);
        }
        for (String evicted : CapacityPlan.of(candidates, budget(), LOYALTY).evict()) {
            GateEntry entry = entries.get(evicted);
            if (entry.isAdmitted()) {
                metrics.count(Count.EVICTED_QUERIES);
                accounts[0] -= entry.cost();
                end(evicted, out);
                refuse(entry, now, ctx);
            }
        }
    }

    private double budget() {
        return Math.max(1, settings.budget() / grid.columns());
    }

    private void end(String subscription, Collector<CellInput> out) {
        int column = grid.column(subscription);
        for (int row = 0; row < grid.rows(); row++) {
            out.collect(new CellInput.End(grid.cell(column, row), subscription));
        }
    }

    private void refuse(GateEntry entry, long atMillis, Context ctx) throws Exception {
        entries.put(entry.id().subscription(), entry.refused());
        long retryAfter =
                Math.min(LONGEST_RETRY_MILLIS, PLAN_EVERY_MILLIS << Math.min(MOST_DOUBLINGS, entry.refusals()));
        ctx.output(UNWATCHED, Notification.refused(entry.id(), atMillis, retryAfter, rule()));
    }

    private InvalidationRule rule() {
        return settings.rule(Representation.OBJECT_LIST);
    }
}
