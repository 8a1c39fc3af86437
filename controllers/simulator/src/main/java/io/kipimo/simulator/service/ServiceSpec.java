package io.kipimo.simulator.service;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.simulator.faults.FaultPlan;
import io.kipimo.simulator.workload.ClassArrivals;
import io.kipimo.simulator.workload.ModelChecks;
import io.kipimo.simulator.workload.QueryKind;
import io.kipimo.simulator.workload.TopicSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A service and its queries.
 *
 * @param deadlineSeconds time after which a query is answered with what has arrived; infinite: never
 * @param lateSeconds time after the start of a query at which its late work is cancelled
 * @param cancelsLateWork whether late work of queries that are not sampled is cancelled at the deadline
 * @param topK number of items of an answer
 * @param demandFollowsItems how far the work of a partition depends on its share of the query's items, 0 (not at all)
 *     to 1 (in proportion)
 * @param tiers the front end calls the first one
 * @param kinds at least one
 * @param topics topics of the queries; empty: each query has most of its items in a partition of its own
 */
@WithBuilder
public record ServiceSpec(
        String name,
        double deadlineSeconds,
        double lateSeconds,
        boolean cancelsLateWork,
        int topK,
        double demandFollowsItems,
        List<TierSpec> tiers,
        List<QueryKind> kinds,
        List<ClassArrivals> classes,
        FaultPlan faults,
        Optional<TopicSpec> topics)
        implements ServiceSpecBuilder.With {
    public ServiceSpec {
        tiers = List.copyOf(tiers);
        kinds = List.copyOf(kinds);
        classes = List.copyOf(classes);
        ModelChecks.above("deadline", Math.min(deadlineSeconds, Double.MAX_VALUE), 0);
        ModelChecks.atLeast("top k", topK, 1);
        ModelChecks.fraction("part of demand that follows the items", demandFollowsItems);
        ModelChecks.atLeast("number of tiers", tiers.size(), 1);
        ModelChecks.atLeast("number of query kinds", kinds.size(), 1);
    }

    /** Returns the service with other replication factors, one for each tier. */
    public ServiceSpec withFactors(int... factors) {
        List<TierSpec> changed = new ArrayList<>(tiers);
        for (int i = 0; i < factors.length; i++) {
            changed.set(i, tiers.get(i).withFactor(factors[i]));
        }
        return withTiers(changed);
    }
}
