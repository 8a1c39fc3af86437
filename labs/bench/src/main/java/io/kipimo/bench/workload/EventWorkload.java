package io.kipimo.bench.workload;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.simulator.report.Phrase;

/**
 * The shape of the traffic. Each query has an answer. Each of its components returns either an online partial result
 * within the deadline or a mature one after it. Some results of both kinds are never sent, and then the query expires.
 * Components hold disjoint items.
 *
 * @param queries number of queries
 * @param components components that each query invokes
 * @param items items in each partial result
 * @param lateShare share of components that miss the deadline, 0..1
 * @param onlineLoss share of online partial results that are never sent, 0..1
 * @param matureLoss share of mature partial results that are never sent, 0..1
 * @param queriesPerSecond queries per second of event time
 * @param startMillis event time of the first query, epoch milliseconds
 */
@WithBuilder
public record EventWorkload(
        long seed,
        int queries,
        int components,
        int items,
        double lateShare,
        double onlineLoss,
        double matureLoss,
        int queriesPerSecond,
        long startMillis) {
    public static final String SERVICE = "search";
    public static final String QUERY_CLASS = "user";

    /** Milliseconds after a query's start at which the front end answers without the missing results. */
    public static final int DEADLINE_MILLIS = 100;

    /** Event time from the last query to the closing events, which end all windows. */
    public static final long RUN_OUT_MILLIS = 40_000;

    /**
     * The usual workload: four components of 20 items, a quarter of the results late, 5 % of online and 0.25 % of
     * mature results lost, 5,000 queries a second. All of its event time is before {@code nowMillis}.
     */
    public static EventWorkload usual(int queries, long nowMillis) {
        return EventWorkloadBuilder.builder()
                .seed(1)
                .queries(queries)
                .components(4)
                .items(20)
                .lateShare(0.25)
                .onlineLoss(0.05)
                .matureLoss(0.0025)
                .queriesPerSecond(5_000)
                .build()
                .endingBefore(nowMillis);
    }

    public EventWorkload withComponents(int number) {
        return EventWorkloadBuilder.builder(this).components(number).build();
    }

    public EventWorkload withItems(int number) {
        return EventWorkloadBuilder.builder(this).items(number).build();
    }

    /** Sets the shares of late components, lost online results and lost mature results. */
    public EventWorkload withShares(double late, double lostOnline, double lostMature) {
        return EventWorkloadBuilder.builder(this)
                .lateShare(late)
                .onlineLoss(lostOnline)
                .matureLoss(lostMature)
                .build();
    }

    /** Sets the rate in event time. */
    public EventWorkload withRate(int perSecond) {
        return EventWorkloadBuilder.builder(this).queriesPerSecond(perSecond).build();
    }

    /** Sets the start so that the closing events are in the past, too. */
    public EventWorkload endingBefore(long nowMillis) {
        long millis = queries * 1000L / queriesPerSecond + 2 * RUN_OUT_MILLIS;
        return startingAt((nowMillis - millis) / 1000 * 1000);
    }

    /** Sets the start. */
    public EventWorkload startingAt(long epochMillis) {
        return EventWorkloadBuilder.builder(this).startMillis(epochMillis).build();
    }

    public String describe() {
        return Phrase.of("%,d queries of %s", queries, describeShape());
    }

    /** The shape without the number of queries. */
    public String describeShape() {
        return Phrase.of(
                "%d components, %d items a result, %.0f %% of components late, %.2f %% of online and"
                        + " %.2f %% of mature results lost, %,d queries a second of event time",
                components, items, 100 * lateShare, 100 * onlineLoss, 100 * matureLoss, queriesPerSecond);
    }
}
