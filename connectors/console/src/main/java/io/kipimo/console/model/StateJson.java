package io.kipimo.console.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.kipimo.core.quality.merge.ReplicaComparisons;
import io.kipimo.core.quality.window.ClassEvidence;
import io.kipimo.core.quality.window.TraceLink;
import io.kipimo.core.quality.window.WorstQuery;
import io.kipimo.core.stale.CacheTruthVerdict;
import io.kipimo.schemas.budget.BurnRate;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CacheTruth;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.LinkTruth;
import io.kipimo.schemas.caching.TtlQuantiles;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadline.ComponentEconomics;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.deadline.FanOutCurve;
import io.kipimo.schemas.deadline.FanOutFloor;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.tails.ReplicaTruth;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Writes the model as JSON. Unknown figures are null; fractions are 0..1, rounded to five places; times are epoch
 * milliseconds.
 */
record StateJson(ConsoleModel model, boolean full, long nowMillis, Optional<TraceLink> traceLink) {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final double PLACES = 1e5;

    /** Number of points in the sparkline on the first screen. */
    private static final int SPARK_POINTS = 40;

    static byte[] document(
            ConsoleModel model, boolean full, boolean writable, long nowMillis, Optional<TraceLink> traceLink) {
        return bytes(new StateJson(model, full, nowMillis, traceLink).state(writable));
    }

    static byte[] service(ConsoleModel model, ServiceState service, long nowMillis, Optional<TraceLink> traceLink) {
        return bytes(new StateJson(model, true, nowMillis, traceLink).service(service));
    }

    static byte[] queries(List<WorstQuery> queries, Optional<TraceLink> traceLink) {
        return bytes(new JsonObject().with("queries", worst(queries, traceLink)));
    }

    private static byte[] bytes(JsonObject document) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
            write(document, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(Object value, JsonGenerator out) throws IOException {
        if (value instanceof Optional<?> optional) {
            write(optional.orElse(null), out);
        } else if (value instanceof Record record) {
            write(new JsonObject().with(record), out);
        } else if (value instanceof Map<?, ?> object) {
            out.writeStartObject();
            for (Map.Entry<?, ?> field : object.entrySet()) {
                out.writeFieldName((String) field.getKey());
                write(field.getValue(), out);
            }
            out.writeEndObject();
        } else if (value instanceof Collection<?> list) {
            out.writeStartArray();
            for (Object element : list) {
                write(element, out);
            }
            out.writeEndArray();
        } else if (value instanceof Double number) {
            rounded(number, out);
        } else if (value instanceof Number number) {
            out.writeNumber(number.longValue());
        } else if (value instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else {
            out.writeString(value instanceof Enum<?> constant ? constant.name() : (String) value);
        }
    }

    private static <T, J> List<J> each(Collection<T> items, Function<T, J> json) {
        return items.stream().map(json).toList();
    }

    private static void rounded(double value, JsonGenerator out) throws IOException {
        if (!Double.isFinite(value)) {
            out.writeNull();
            return;
        }
        double rounded = Math.rint(value * PLACES) / PLACES;
        if (rounded == Math.rint(rounded) && Math.abs(rounded) < 1e15) {
            out.writeNumber((long) rounded);
        } else {
            out.writeNumber(rounded);
        }
    }

    private JsonObject state(boolean writable) {
        return new JsonObject()
                .with("nowMillis", nowMillis)
                .with("health", health(model.health()))
                .with("writable", writable)
                .with("services", each(model.shown(), this::service));
    }

    private static JsonObject health(Health health) {
        return new JsonObject()
                .with("broker", health.connected ? "connected" : "away")
                .with("brokerSinceMillis", time(health.brokerSinceMillis))
                .with("lastRecordMillis", time(health.lastRecordMillis))
                .with("caughtUp", health.readUntilMillis > 0)
                .with("unreadable", health.unreadable)
                .withPresent("joinPath", Optional.of(health.joinPath).filter(p -> !p.isEmpty()))
                .with(
                        "deadLetters",
                        new JsonObject()
                                .with("count", health.deadLetters)
                                .with("last", each(health.lastDeadLetters, StateJson::letter)));
    }

    private static JsonObject letter(DeadLetter letter) {
        return new JsonObject()
                .with(letter, "topic", "partition", "offset", "reason", "detail")
                .with("atMillis", letter.seenAtMillis());
    }

    private JsonObject service(ServiceState service) {
        JsonObject json = new JsonObject()
                .with("name", service.name)
                .with("policy", service.policy().map(p -> policy(p, service)))
                .with(
                        "classes",
                        service.shown().stream()
                                .map(c -> queryClass(service, c))
                                .toList())
                .with("sampling", service.sampling.newest().map(StateJson::sampling))
                .with("deadlineMillis", service.deadlineMillis().orElse(Double.NaN))
                .with("measurable", service.measurableShare(nowMillis))
                .with("cachedTables", service.caching.tables().size());
        if (full) {
            json.with("tails", service.tails.endMillis().map(end -> tails(end, service.tails)))
                    .with("replicaTruth", each(service.tails.truths(), this::replicaTruth))
                    .with("replication", ReplicationJson.of(service, nowMillis))
                    .with("caching", each(service.caching.tables(), StateJson::caching))
                    .with("cacheTruth", each(service.caching.truths(), this::cacheTruth))
                    .with("ratings", RatingJson.of(service.ratings));
        }
        return json;
    }

    private static JsonObject sampling(Decision newest) {
        return reason(
                        new JsonObject().with("rate", newest.value()).with("decidedAtMillis", newest.issuedAtMillis()),
                        newest)
                .with("validUntilMillis", newest.validUntilMillis());
    }

    private static JsonObject tails(long endMillis, TailFigures tails) {
        return new JsonObject()
                .with("endMillis", endMillis)
                .with("windowMillis", tails.windowMillis())
                .with("tiers", each(tails.tiers(), StateJson::tier));
    }

    private static JsonObject tier(TailFigures.TierFigures tier) {
        return tail(tier.figures().scope().tier(), tier.figures())
                .with("components", each(tier.components(), StateJson::component));
    }

    private static JsonObject component(TailFigures.Component component) {
        return tail(component.figures().scope().component(), component.figures())
                .with("listed", each(component.servers(), StateJson::server));
    }

    private static JsonObject server(TailFigures.WindowFigures server) {
        return new JsonObject()
                .with("name", server.scope().server())
                .with("requestsPerSecond", server.requestsPerSecond())
                .with("utilisation", server.utilisation())
                .with("p99", server.latency().p99());
    }

    private JsonObject replicaTruth(ReplicaTruth truth) {
        return new JsonObject()
                .with(truth, "component", "reporter", "startMillis", "endMillis")
                .with(truth, "same", "ties", "lag", "different", "unknown", "servers", "queries")
                .with("standing", ReplicaComparisons.standing(truth, nowMillis));
    }

    private static JsonObject caching(CachingWindow table) {
        double seconds = (table.endMillis() - table.startMillis()) / 1000.0;
        return new JsonObject()
                .with(table, "table", "endMillis")
                .with("originReadsPerSecond", table.originReads() / seconds)
                .with("writesPerSecond", table.writes() / seconds)
                .with("invalidationsPerSecond", table.invalidations() / seconds)
                .with("ttlMillis", table.handedOut().map(StateJson::ttls))
                .with("filter", table.filter())
                .with("use", table.use().map(use -> use(use, seconds)))
                .with("mostInvalidated", table.mostInvalidated());
    }

    private JsonObject cacheTruth(CacheTruth truth) {
        return new JsonObject()
                .with(truth, "table", "prober", "startMillis", "endMillis")
                .with("lostBy", CacheTruthVerdict.loser(truth.links()))
                .with("links", each(truth.links(), this::link));
    }

    private JsonObject link(LinkTruth link) {
        CacheTruthVerdict verdict = CacheTruthVerdict.of(link, nowMillis);
        return new JsonObject()
                .with(link, "link", "withinMillis", "fresh", "stale", "unknown", "lost")
                .with("verdict", verdict.verdict())
                .with("nines", verdict.nines());
    }

    private static JsonObject ttls(TtlQuantiles ttls) {
        return new JsonObject()
                .with("p10", ttls.p10Millis())
                .with("p50", ttls.p50Millis())
                .with("p90", ttls.p90Millis())
                .with("p99", ttls.p99Millis());
    }

    /** A table's use: reads a second, and shares of the reported reads. */
    private static JsonObject use(CacheCounts use, double seconds) {
        double reads = use.reads();
        return new JsonObject()
                .with("readsPerSecond", reads / seconds)
                .with("clientHitShare", use.clientHits() / reads)
                .with("sharedHitShare", use.sharedHits() / reads)
                .with("revalidatedShare", use.revalidations() / reads)
                .with("needlessShare", use.needlessRevalidations() / (double) use.revalidations())
                .with("staleShare", use.staleReads() / reads);
    }

    /** A row of figures; latencies are in milliseconds. */
    private static JsonObject tail(String name, TailFigures.WindowFigures f) {
        return new JsonObject()
                .with("name", name)
                .with("servers", f.servers())
                .with("requestsPerSecond", f.requestsPerSecond())
                .with("utilisation", f.utilisation())
                .with("load", f.load())
                .with("demandMillis", f.demandMillis())
                .with("timedOutShare", f.timedOutShare())
                .with("failedShare", f.failedShare())
                .with("p50", f.latency().p50())
                .with("p95", f.latency().p95())
                .with("p99", f.latency().p99())
                .with("p999", f.latency().p999());
    }

    private static JsonObject policy(Policy policy, ServiceState service) {
        return new JsonObject()
                .with("version", policy.version())
                .with("problem", service.policyProblem())
                .with("killSwitch", policy.killSwitch())
                .with(policy.admission(), "shadow", "signal", "controller")
                .with(policy, "metrics", "windowMillis", "expirationWindowMillis");
    }

    private JsonObject queryClass(ServiceState service, ClassState c) {
        Optional<ClassPolicy> policy = service.policy(c);
        ClassEvidence evidence = c.evidence(service, 0);
        Diagnosis diagnosis = model.diagnosis(service, c, nowMillis);
        JsonObject json = new JsonObject()
                .with("name", c.name)
                .with("priority", policy.map(ClassPolicy::priority))
                .with("objective", policy.isEmpty() && evidence.window().isEmpty() ? Double.NaN : evidence.objective())
                .with("override", policy.flatMap(ClassPolicy::override).filter(o -> o.isInForce(nowMillis)))
                .with("status", DisplayText.status(diagnosis.verdict()))
                .with("statusSinceMillis", time(diagnosis.sinceMillis()))
                .with("statusReason", diagnosis.sentence())
                .with("now", evidence.recentWindow(nowMillis).map(StateJson::window))
                .with("admission", c.decisions.newest().map(StateJson::admission))
                .with("budget", evidence.recentBudget(nowMillis).map(StateJson::budget));
        if (!full) {
            return json.with("spark", spark(c));
        }
        return json.with("components", components(c, evidence.window()))
                .with("variants", each(c.variants(), StateJson::variant))
                .with("history", history(c))
                .with("decisions", each(c.decisions.changes(), StateJson::change))
                .with("deadline", Optional.ofNullable(c.curve).map(StateJson::deadline))
                .with("completeness", Optional.ofNullable(c.completeness).map(StateJson::losses))
                .withPresent("fanOut", Optional.ofNullable(c.publication).map(StateJson::publication))
                .with("worst", worst(c.worst.since(0), traceLink));
    }

    private static List<JsonObject> worst(List<WorstQuery> queries, Optional<TraceLink> link) {
        return queries.stream().map(query -> query.document(link)).toList();
    }

    private static JsonObject window(QualityWindow w) {
        boolean hasSamples = w.samples() > 0;
        return measurable(
                        figures(new JsonObject().with("endMillis", w.endMillis()), w)
                                .withPresent("estimator", w.estimator()),
                        w)
                .with(w, "samples", "degradedSamples", "expired", "orphans")
                .with("backlogRate", w.backlogRate())
                .with("expiredShare", QualityHistory.QualityPoint.of(w).expiredShare())
                .with("plainMean", hasSamples ? w.plainMean() : Double.NaN)
                .with("p5", hasSamples ? w.p5() : Double.NaN)
                .with("p50", hasSamples ? w.p50() : Double.NaN)
                .with("belowObjective", hasSamples ? w.belowObjective() : Double.NaN)
                .with("failedMature", hasSamples ? w.failedMature() : Double.NaN)
                .with("maturePer100", w.maturePer100Queries())
                .with(
                        "bill",
                        new JsonObject()
                                .with(w.bill(), "lateResults", "lateWorkMicros", "answerWorkMicros")
                                .with(w.bill(), "emittedBytes", "droppedEvents"));
    }

    private static JsonObject variant(QualityWindow w) {
        return figures(new JsonObject().with("name", w.variant()), w).with("samples", w.samples());
    }

    /** Adds a window's figures of quality and load. */
    private static JsonObject figures(JsonObject json, QualityWindow w) {
        double seconds = Math.max(1, w.endMillis() - w.startMillis()) / 1000.0;
        return json.with("low", w.estimate().map(e -> e.low()))
                .with("mean", w.estimate().map(e -> e.mean()))
                .with("high", w.estimate().map(e -> e.high()))
                .with("offered", w.offered() / seconds)
                .with("rejected", w.rejected() / seconds)
                .with("answered", w.answered() / seconds)
                .with("timedOut", w.timedOut() / seconds)
                .with("timeOutShare", QualityHistory.QualityPoint.of(w).timeOutShare())
                .with("zeroResultRate", w.zeroResultRate())
                .with("notAsked", w.notAsked() / seconds)
                .with("deliberateLoss", w.deliberateLoss());
    }

    /** Adds shares of the answers: the measurable ones, and the others by reason. */
    private static JsonObject measurable(JsonObject json, QualityWindow w) {
        JsonObject reasons = new JsonObject();
        for (Map.Entry<Unmeasurable, Long> counted : new TreeMap<>(w.unmeasurable()).entrySet()) {
            reasons.with(
                    counted.getKey().name(),
                    w.answered() == 0 ? Double.NaN : (double) counted.getValue() / w.answered());
        }
        return json.with("measurable", w.measurableShare())
                .with("unmeasurableSamples", w.unmeasurableSamples())
                .with("unmeasurable", reasons);
    }

    private static JsonObject admission(Decision d) {
        return reason(new JsonObject().with(d, "value", "previous"), d)
                .with(d, "issuedAtMillis", "validUntilMillis", "epoch", "sequence")
                .with(d, "measured", "low", "high", "objective", "samples");
    }

    private static JsonObject reason(JsonObject json, Decision d) {
        return json.with(d, "mode", "reason").with("reasonText", DisplayText.reason(d.reason()));
    }

    private List<JsonObject> components(ClassState c, Optional<QualityWindow> window) {
        return window.stream()
                .flatMap(w -> w.components().stream().map(blame -> blame(c, w, blame)))
                .toList();
    }

    private JsonObject blame(ClassState c, QualityWindow window, ComponentAttribution blame) {
        return new JsonObject()
                .with("name", blame.component())
                .with(blame, "invoked", "timedOut", "notAsked")
                .with(
                        "timeOutShare",
                        blame.invoked() == 0 ? Double.NaN : Math.min(1, (double) blame.timedOut() / blame.invoked()))
                .with("lostQuality", ClassState.lossPerQuery(window, blame))
                .with(
                        "latencyMillis",
                        Optional.ofNullable(c.latencies.get(blame.component()))
                                .flatMap(l -> l.quantiles(nowMillis - ConsoleModel.LATENCY_MILLIS))
                                .map(StateJson::latency));
    }

    private static JsonObject latency(RecentLatencies.Quantiles millis) {
        return new JsonObject()
                .with("p50", millis.p50())
                .with("p95", millis.p95())
                .with("p99", millis.p99());
    }

    private static JsonObject history(ClassState c) {
        return new JsonObject()
                .with("startMillis", each(c.history().points(), QualityHistory.QualityPoint::startMillis))
                .with("endMillis", each(c.history().points(), QualityHistory.QualityPoint::endMillis))
                .with("mean", series(c, p -> p.shown(Estimate::mean)))
                .with("low", series(c, p -> p.shown(Estimate::low)))
                .with("high", series(c, p -> p.shown(Estimate::high)))
                .with("timeOutShare", series(c, QualityHistory.QualityPoint::timeOutShare))
                // The decided value; without a valid decision, the measured one.
                .with(
                        "admitted",
                        series(c, p -> c.decisions.valueAt(p.endMillis()).orElse(p.admittedShare())))
                .with("answeredPerSecond", series(c, QualityHistory.QualityPoint::answeredPerSecond))
                .with("expiredShare", series(c, QualityHistory.QualityPoint::expiredShare));
    }

    private static List<Double> series(ClassState c, ToDoubleFunction<QualityHistory.QualityPoint> figure) {
        return c.history().points().stream().mapToDouble(figure).boxed().toList();
    }

    /** The newest mean qualities, for the sparkline. */
    private static List<Double> spark(ClassState c) {
        List<Double> means = series(c, p -> p.shown(Estimate::mean));
        return means.subList(Math.max(0, means.size() - SPARK_POINTS), means.size());
    }

    private static JsonObject change(Decision d) {
        return reason(new JsonObject().with("atMillis", d.issuedAtMillis()).with(d, "value", "previous"), d);
    }

    private static JsonObject deadline(DeadlineCurve curve) {
        return new JsonObject()
                .with(curve, "deadlineMillis", "endMillis", "profiles")
                .with("points", each(curve.points(), StateJson::point))
                .with("components", each(curve.components(), StateJson::economics))
                .withPresent(
                        "fanOut",
                        Optional.of(curve.fanOut())
                                .filter(fanOut -> !fanOut.equals(FanOutCurve.NONE))
                                .map(StateJson::fanOut));
    }

    private static JsonObject point(DeadlinePoint point) {
        return new JsonObject()
                .with(point, "deadlineMillis")
                .with(point.quality())
                .with(point, "complete");
    }

    private static JsonObject economics(ComponentEconomics c) {
        return new JsonObject()
                .with(c, "component", "invoked", "late", "lostQuality", "lostQualityPerLateMinute")
                .with(c, "qualityIfFaster", "qualityIfReplicated", "qualityIfDropped");
    }

    private static JsonObject fanOut(FanOutCurve fanOut) {
        return new JsonObject()
                .with(fanOut, "queries", "calibrated")
                .with("learned", each(fanOut.learned(), StateJson::floor))
                .with("perfect", each(fanOut.perfect(), StateJson::floor));
    }

    private static JsonObject floor(FanOutFloor floor) {
        return new JsonObject().with(floor, "effort").with(floor.quality()).with(floor, "belowHalf");
    }

    private static JsonObject budget(ErrorBudget budget) {
        return new JsonObject()
                .with(budget, "verdict", "remaining", "coveredMillis", "periodMillis")
                .with("short", burn(budget.shortWindow()))
                .with("long", burn(budget.longWindow()))
                .with(budget, "causes");
    }

    private static JsonObject burn(BurnRate burn) {
        return new JsonObject().with(burn, "windowMillis", "low", "rate", "high", "samples");
    }

    private static JsonObject publication(FanOutPublication publication) {
        return new JsonObject().with(publication, "state", "reason", "validUntilMillis");
    }

    private static JsonObject losses(CompletenessModel model) {
        return new JsonObject().with(model, "queries", "usualLoss", "losses", "calibration");
    }

    /** A time, or null in place of 0, which stands for never. */
    private static Optional<Long> time(long millis) {
        return millis == 0 ? Optional.empty() : Optional.of(millis);
    }
}
