package io.kipimo.core.quality.window;

import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.field.OfServiceClass;
import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Score;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One measured query that lost quality.
 *
 * @param low low end of the quality by {@code metric}, 0..1; equal to the high end, {@code high}, unless EXPIRED or
 *     components were not asked and nobody stated the loss
 * @param components at most {@value #MOST_COMPONENTS}: those that lost most first, then those that were not in time,
 *     then the slowest
 * @param otherComponents number of further components
 * @param deliberateLoss quality lost because components were not asked, 0..1; 1 if nobody stated it
 * @param notAsked number of components that were not asked
 */
@WithBuilder
public record WorstQuery(
        String service,
        String queryClass,
        String queryId,
        long startedAtMillis,
        long measuredAtMillis,
        Completeness completeness,
        String metric,
        double low,
        double high,
        List<ComponentShare> components,
        int otherComponents,
        double deliberateLoss,
        int notAsked)
        implements OfServiceClass {
    static final int MOST_COMPONENTS = 12;

    /** Puts the greatest certain loss first, then the greatest possible loss, then the newest query. */
    static final Comparator<WorstQuery> WORST_FIRST = Comparator.comparingDouble(WorstQuery::high)
            .thenComparingDouble(WorstQuery::low)
            .thenComparing(Comparator.comparingLong(WorstQuery::startedAtMillis).reversed())
            .thenComparing(WorstQuery::queryId);

    private static final Comparator<ComponentShare> BLAMED_FIRST = Comparator.comparingDouble(
                    (ComponentShare c) -> -c.lostQuality())
            .thenComparing(c -> c.outcome() == Outcome.IN_TIME)
            .thenComparing(c -> c.outcome() == Outcome.NOT_ASKED)
            .thenComparing(
                    Comparator.comparingLong(ComponentShare::latencyMicros).reversed());

    /**
     * @param metric similarity function; empty: the first one measured
     * @return empty if the measurement has no such quality, or nothing was lost
     */
    public static Optional<WorstQuery> of(Measurement m, Optional<String> metric) {
        return m.scores().stream()
                .filter(s -> metric.isEmpty() || metric.get().equals(s.metric()))
                .findFirst()
                .filter(s -> m.completeness().hasQuality() && s.low() < 1)
                .map(s -> of(m, s));
    }

    private static WorstQuery of(Measurement m, Score score) {
        return WorstQueryBuilder.builder()
                .service(m.service())
                .queryClass(m.queryClass())
                .queryId(m.queryId())
                .startedAtMillis(m.startedAtMillis())
                .measuredAtMillis(m.measuredAtMillis())
                .completeness(m.completeness())
                .metric(score.metric())
                .low(score.low())
                .high(score.high())
                .components(m.components().stream()
                        .sorted(BLAMED_FIRST)
                        .limit(MOST_COMPONENTS)
                        .toList())
                .otherComponents(Math.max(0, m.components().size() - MOST_COMPONENTS))
                .deliberateLoss(m.deliberateLoss())
                .notAsked((int) m.components().stream()
                        .filter(c -> c.outcome() == Outcome.NOT_ASKED)
                        .count())
                .build();
    }

    /** The query as JSON, latencies in milliseconds. */
    public JsonObject document(Optional<TraceLink> link) {
        return new JsonObject()
                .with(this, "service")
                .with("class", queryClass)
                .with("query", queryId)
                .with(this, "startedAtMillis", "measuredAtMillis", "completeness", "metric")
                .with(this, "low", "high")
                .with(
                        "components",
                        components.stream().map(WorstQuery::document).toList())
                .with(this, "otherComponents", "notAsked", "deliberateLoss")
                .with("trace", link.map(l -> l.of(this)));
    }

    private static JsonObject document(ComponentShare share) {
        return new JsonObject()
                .with(share, "component", "outcome")
                .with("latencyMillis", share.latencyMicros() / 1000.0)
                .with(share, "missing", "lostQuality");
    }
}
