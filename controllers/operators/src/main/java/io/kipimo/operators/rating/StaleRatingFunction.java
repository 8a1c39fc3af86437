package io.kipimo.operators.rating;

import io.kipimo.core.guard.Step;
import io.kipimo.core.rating.DriftState;
import io.kipimo.core.rating.DriftWatch;
import io.kipimo.core.rating.ServiceFact;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.operators.metrics.NewestGauges;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingBuilder;
import io.kipimo.schemas.rating.RatingState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Detects ratings that no longer hold ({@link DriftWatch}), keyed by service. Its inputs are ratings and facts about
 * services; its output is the ratings that became stale. It watches the newest rating of each target.
 *
 * <p>Metric {@code kipimo.service.<name>.target.<name>.ratingStale} is 1 when the newest rating of a target is stale, 0
 * when it holds.
 */
public final class StaleRatingFunction extends KeyedCoProcessFunction<String, Rating, ServiceFact, Rating> {
    /** Greatest number of targets of a service that are watched. */
    private static final int MOST_TARGETS = 16;

    private static final int MOST_REMARK = 250;

    /** The newest rating of a target. */
    private record NewestRating(String service, String target, boolean isStale) {}

    private final DriftWatch.Drift settings;
    private transient MapState<String, Rating> watched;
    private transient MapState<String, DriftState> drift;
    private transient NewestGauges<NewestRating> metrics;
    private transient Isolation isolation;

    public StaleRatingFunction(DriftWatch.Drift settings) {
        this.settings = settings;
    }

    @Override
    public void open(OpenContext openContext) {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
        watched = getRuntimeContext()
                .getMapState(new MapStateDescriptor<>("watched", Types.STRING, Format.typeOf(Codecs.RATING)));
        drift = getRuntimeContext()
                .getMapState(new MapStateDescriptor<>("drift", Types.STRING, StateFormats.DRIFT.typeInfo()));
        MetricGroup group = getRuntimeContext().getMetricGroup().addGroup("kipimo");
        metrics = new NewestGauges<NewestRating>(
                        newest -> group.addGroup("service", newest.service()).addGroup("target", newest.target()))
                .with("ratingStale", newest -> newest.isStale() ? 1 : 0);
    }

    @Override
    public void processElement1(Rating received, Context ctx, Collector<Rating> out) throws Exception {
        isolation.run(ctx.getCurrentKey(), () -> watch(received, ctx, out));
    }

    private void watch(Rating received, Context ctx, Collector<Rating> out) throws Exception {
        String target = received.request().target();
        Rating known = watched.get(target);
        if (received.state() == RatingState.STALE) {
            if (known != null && known.ratingId().equals(received.ratingId())) {
                forget(target);
            }
            report(received.request().service(), target, true);
            return;
        }
        boolean isFound = received.state() == RatingState.FOUND || received.state() == RatingState.AT_LEAST;
        boolean isNews =
                known == null ? targets().size() < MOST_TARGETS : received.updatedAtMillis() > known.updatedAtMillis();
        if (isFound && isNews) {
            watched.put(target, received);
            drift.put(target, DriftState.since(received.updatedAtMillis()));
            report(received.request().service(), target, false);
        }
    }

    @Override
    public void processElement2(ServiceFact fact, Context ctx, Collector<Rating> out) throws Exception {
        isolation.run(ctx.getCurrentKey(), () -> observe(fact, ctx, out));
    }

    private void observe(ServiceFact fact, Context ctx, Collector<Rating> out) throws Exception {
        for (String target : targets()) {
            Step<DriftState, String> step = DriftWatch.observe(settings, drift.get(target), fact);
            if (step.decisions().isEmpty()) {
                drift.put(target, step.next());
                continue;
            }
            Rating rating = watched.get(target);
            forget(target);
            report(fact.service(), target, true);
            out.collect(stale(rating, step.decisions(), ctx.timerService().currentProcessingTime()));
        }
    }

    private void report(String service, String target, boolean isStale) {
        metrics.update(service + '/' + target, new NewestRating(service, target, isStale));
    }

    private List<String> targets() throws Exception {
        List<String> targets = new ArrayList<>();
        for (Map.Entry<String, DriftState> entry : drift.entries()) {
            targets.add(entry.getKey());
        }
        return targets;
    }

    private void forget(String target) throws Exception {
        watched.remove(target);
        drift.remove(target);
    }

    private static Rating stale(Rating rating, List<String> reasons, long nowMillis) {
        String remark = String.join("; ", reasons);
        return RatingBuilder.builder(rating)
                .state(RatingState.STALE)
                .remark(Names.cut(remark, MOST_REMARK))
                .updatedAtMillis(nowMillis)
                .build();
    }
}
