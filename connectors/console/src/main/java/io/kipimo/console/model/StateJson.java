package io.kipimo.console.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.kipimo.core.quality.verdict.ClassEvidence;
import io.kipimo.core.quality.worst.TraceLink;
import io.kipimo.core.quality.worst.WorstQuery;
import io.kipimo.schemas.budget.BurnRate;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.budget.LossCause;
import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.FilterFill;
import io.kipimo.schemas.caching.InvalidatedKey;
import io.kipimo.schemas.caching.TtlQuantiles;
import io.kipimo.schemas.completeness.CalibrationBin;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.completeness.ComponentLoss;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadline.ComponentEconomics;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.deadline.FanOutCurve;
import io.kipimo.schemas.deadline.FanOutFloor;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Writes the model as JSON. Unknown figures are null; fractions are 0..1, rounded to five places;
 * times are epoch milliseconds.
 */
final class StateJson {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final double PLACES = 1e5;

    /** Points of the sparkline on the first screen. */
    private static final int SPARK_POINTS = 40;

    private interface Body {
        void write(StateJson json) throws IOException;
    }

    private final JsonGenerator out;
    private final boolean full;
    private final ConsoleModel model;
    private final long nowMillis;
    private final Optional<TraceLink> traceLink;

    private StateJson(
            JsonGenerator out,
            ConsoleModel model,
            boolean full,
            long nowMillis,
            Optional<TraceLink> traceLink) {
        this.out = out;
        this.model = model;
        this.full = full;
        this.nowMillis = nowMillis;
        this.traceLink = traceLink;
    }

    static byte[] document(
            ConsoleModel model,
            boolean full,
            boolean writable,
            long nowMillis,
            Optional<TraceLink> traceLink) {
        return written(model, full, nowMillis, traceLink, json -> json.state(writable));
    }

    static byte[] service(
            ConsoleModel model,
            ServiceState service,
            long nowMillis,
            Optional<TraceLink> traceLink) {
        return written(model, true, nowMillis, traceLink, json -> json.service(service));
    }

    static byte[] queries(
            ConsoleModel model, List<WorstQuery> queries, Optional<TraceLink> traceLink) {
        return written(
                model,
                true,
                0,
                traceLink,
                json -> {
                    json.out.writeStartObject();
                    json.queries("queries", queries);
                    json.out.writeEndObject();
                });
    }

    private static byte[] written(
            ConsoleModel model,
            boolean full,
            long nowMillis,
            Optional<TraceLink> traceLink,
            Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
            body.write(new StateJson(out, model, full, nowMillis, traceLink));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private void state(boolean writable) throws IOException {
        out.writeStartObject();
        out.writeNumberField("nowMillis", nowMillis);
        health(model.health());
        out.writeBooleanField("writable", writable);
        out.writeArrayFieldStart("services");
        for (ServiceState service : model.shown()) {
            service(service);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void health(Health health) throws IOException {
        out.writeObjectFieldStart("health");
        out.writeStringField("broker", health.connected ? "connected" : "away");
        time("brokerSinceMillis", health.brokerSinceMillis);
        time("lastRecordMillis", health.lastRecordMillis);
        out.writeBooleanField("caughtUp", health.readUntilMillis > 0);
        out.writeNumberField("unreadable", health.unreadable);
        if (!health.joinPath.isEmpty()) {
            out.writeStringField("joinPath", health.joinPath);
        }
        out.writeObjectFieldStart("deadLetters");
        out.writeNumberField("count", health.deadLetters);
        out.writeArrayFieldStart("last");
        for (DeadLetter letter : health.lastDeadLetters) {
            out.writeStartObject();
            out.writeStringField("topic", letter.topic());
            out.writeNumberField("partition", letter.partition());
            out.writeNumberField("offset", letter.offset());
            out.writeStringField("reason", letter.reason().name());
            out.writeStringField("detail", letter.detail());
            out.writeNumberField("atMillis", letter.seenAtMillis());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
        out.writeEndObject();
    }

    private void service(ServiceState service) throws IOException {
        out.writeStartObject();
        out.writeStringField("name", service.name);
        policy(service.policy(), service.policyProblem());
        out.writeArrayFieldStart("classes");
        for (ClassState c : service.shown()) {
            queryClass(service, c);
        }
        out.writeEndArray();
        Optional<Decision> sampling = service.sampling.newest();
        if (sampling.isPresent()) {
            out.writeObjectFieldStart("sampling");
            number("rate", sampling.get().value());
            out.writeNumberField("decidedAtMillis", sampling.get().issuedAtMillis());
            reason(sampling.get());
            out.writeNumberField("validUntilMillis", sampling.get().validUntilMillis());
            out.writeEndObject();
        } else {
            out.writeNullField("sampling");
        }
        number("deadlineMillis", service.deadlineMillis().orElse(Double.NaN));
        number("measurable", service.measurableShare(nowMillis));
        out.writeNumberField("cachedTables", service.caching.tables().size());
        if (full) {
            tails(service.tails);
            new ReplicationJson(out, this, nowMillis).write(service);
            caching(service.caching);
            new RatingJson(out, this).write(service.ratings);
        }
        out.writeEndObject();
    }

    private void tails(TailFigures tails) throws IOException {
        if (tails.endMillis().isEmpty()) {
            out.writeNullField("tails");
            return;
        }
        out.writeObjectFieldStart("tails");
        out.writeNumberField("endMillis", tails.endMillis().get());
        out.writeNumberField("windowMillis", tails.windowMillis());
        out.writeArrayFieldStart("tiers");
        for (TailFigures.Tier tier : tails.tiers()) {
            out.writeStartObject();
            tail(tier.figures().tier(), tier.figures());
            out.writeArrayFieldStart("components");
            for (TailFigures.Component component : tier.components()) {
                out.writeStartObject();
                tail(component.figures().component(), component.figures());
                out.writeArrayFieldStart("listed");
                for (TailFigures.Figures server : component.servers()) {
                    out.writeStartObject();
                    out.writeStringField("name", server.server());
                    number("requestsPerSecond", server.requestsPerSecond());
                    number("utilisation", server.utilisation());
                    number("p99", server.p99Micros() / 1000);
                    out.writeEndObject();
                }
                out.writeEndArray();
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void caching(CachingFigures caching) throws IOException {
        out.writeArrayFieldStart("caching");
        for (CachingWindow table : caching.tables()) {
            out.writeStartObject();
            out.writeStringField("table", table.table());
            out.writeNumberField("endMillis", table.endMillis());
            double seconds = (table.endMillis() - table.startMillis()) / 1000.0;
            number("originReadsPerSecond", table.originReads() / seconds);
            number("writesPerSecond", table.writes() / seconds);
            number("invalidationsPerSecond", table.invalidations() / seconds);
            ttls(table.handedOut());
            filter(table.filter());
            use(table.use(), seconds);
            out.writeArrayFieldStart("mostInvalidated");
            for (InvalidatedKey key : table.mostInvalidated()) {
                out.writeStartObject();
                out.writeStringField("key", key.key());
                out.writeNumberField("invalidations", key.invalidations());
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void ttls(Optional<TtlQuantiles> handedOut) throws IOException {
        if (handedOut.isEmpty()) {
            out.writeNullField("ttlMillis");
            return;
        }
        TtlQuantiles ttls = handedOut.get();
        out.writeObjectFieldStart("ttlMillis");
        number("p10", ttls.p10Millis());
        number("p50", ttls.p50Millis());
        number("p90", ttls.p90Millis());
        number("p99", ttls.p99Millis());
        out.writeEndObject();
    }

    private void filter(Optional<FilterFill> fill) throws IOException {
        if (fill.isEmpty()) {
            out.writeNullField("filter");
            return;
        }
        FilterFill filter = fill.get();
        out.writeObjectFieldStart("filter");
        out.writeNumberField("staleKeys", filter.staleKeys());
        out.writeNumberField("trackedKeys", filter.trackedKeys());
        out.writeNumberField("bytes", filter.bytes());
        number("fill", filter.fill());
        number("falsePositiveRate", filter.falsePositiveRate());
        out.writeEndObject();
    }

    /** Writes shares of the reported reads. */
    private void use(Optional<CacheCounts> reported, double seconds) throws IOException {
        if (reported.isEmpty()) {
            out.writeNullField("use");
            return;
        }
        CacheCounts use = reported.get();
        double reads = use.reads();
        out.writeObjectFieldStart("use");
        number("readsPerSecond", reads / seconds);
        number("clientHitShare", use.clientHits() / reads);
        number("sharedHitShare", use.sharedHits() / reads);
        number("revalidatedShare", use.revalidations() / reads);
        number("needlessShare", use.needlessRevalidations() / (double) use.revalidations());
        number("staleShare", use.staleReads() / reads);
        out.writeEndObject();
    }

    /** Writes latencies in milliseconds. */
    private void tail(String name, TailFigures.Figures f) throws IOException {
        out.writeStringField("name", name);
        out.writeNumberField("servers", f.servers());
        number("requestsPerSecond", f.requestsPerSecond());
        number("utilisation", f.utilisation());
        number("load", f.load());
        number("demandMillis", f.demandMicros() / 1000);
        number("timedOutShare", f.timedOutShare());
        number("failedShare", f.failedShare());
        number("p50", f.p50Micros() / 1000);
        number("p95", f.p95Micros() / 1000);
        number("p99", f.p99Micros() / 1000);
        number("p999", f.p999Micros() / 1000);
    }

    private void policy(Optional<Policy> of, Optional<String> problem) throws IOException {
        if (of.isEmpty()) {
            out.writeNullField("policy");
            return;
        }
        Policy policy = of.get();
        out.writeObjectFieldStart("policy");
        out.writeNumberField("version", policy.version());
        out.writeStringField("problem", problem.orElse(null));
        out.writeBooleanField("killSwitch", policy.killSwitch());
        out.writeBooleanField("shadow", policy.admission().shadow());
        out.writeStringField("signal", policy.admission().signal().name());
        out.writeStringField("controller", policy.admission().controller().name());
        out.writeArrayFieldStart("metrics");
        for (String metric : policy.metrics()) {
            out.writeString(metric);
        }
        out.writeEndArray();
        out.writeNumberField("windowMillis", policy.windowMillis());
        out.writeNumberField("expirationWindowMillis", policy.expirationWindowMillis());
        out.writeEndObject();
    }

    private void queryClass(ServiceState service, ClassState c) throws IOException {
        Optional<ClassPolicy> policy = service.policy(c);
        ClassEvidence evidence = c.evidence(service, 0);
        Optional<QualityWindow> window = evidence.recentWindow(nowMillis);
        out.writeStartObject();
        out.writeStringField("name", c.name);
        if (policy.isPresent()) {
            out.writeNumberField("priority", policy.get().priority());
        } else {
            out.writeNullField("priority");
        }
        number(
                "objective",
                policy.isEmpty() && evidence.window().isEmpty()
                        ? Double.NaN
                        : evidence.objective());
        override(policy.flatMap(ClassPolicy::override).filter(o -> o.isInForce(nowMillis)));
        Diagnosis diagnosis = model.diagnosis(service, c, nowMillis);
        out.writeStringField("status", DisplayText.status(diagnosis.verdict()));
        time("statusSinceMillis", diagnosis.sinceMillis());
        out.writeStringField("statusReason", diagnosis.sentence());
        if (window.isPresent()) {
            window(window.get());
        } else {
            out.writeNullField("now");
        }
        admission(c.decisions.newest());
        budget(evidence.recentBudget(nowMillis));
        if (!full) {
            spark(c);
        } else {
            components(c, evidence.window());
            variants(c.variants());
            history(c);
            decisions(c);
            deadline(c.curve);
            completeness(c.completeness);
            publication(c.publication);
            queries("worst", c.worst.since(0));
        }
        out.writeEndObject();
    }

    private void queries(String name, List<WorstQuery> queries) throws IOException {
        out.writeArrayFieldStart(name);
        for (WorstQuery query : queries) {
            out.writeStartObject();
            out.writeStringField("service", query.service());
            out.writeStringField("class", query.queryClass());
            out.writeStringField("query", query.queryId());
            out.writeNumberField("startedAtMillis", query.startedAtMillis());
            out.writeNumberField("measuredAtMillis", query.measuredAtMillis());
            out.writeStringField("completeness", query.completeness().name());
            out.writeStringField("metric", query.metric());
            number("low", query.low());
            number("high", query.high());
            out.writeArrayFieldStart("components");
            for (ComponentShare share : query.components()) {
                out.writeStartObject();
                out.writeStringField("component", share.component());
                out.writeStringField("outcome", share.outcome().name());
                number("latencyMillis", share.latencyMicros() / 1000.0);
                out.writeBooleanField("missing", share.missing());
                number("lostQuality", share.lostQuality());
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeNumberField("otherComponents", query.otherComponents());
            out.writeNumberField("notAsked", query.notAsked());
            number("deliberateLoss", query.deliberateLoss());
            out.writeStringField("trace", traceLink.map(link -> link.of(query)).orElse(null));
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void override(Optional<ManualOverride> override) throws IOException {
        if (override.isEmpty()) {
            out.writeNullField("override");
            return;
        }
        out.writeObjectFieldStart("override");
        number("fraction", override.get().fraction());
        out.writeNumberField("untilMillis", override.get().untilMillis());
        out.writeStringField("by", override.get().by());
        out.writeStringField("reason", override.get().reason());
        out.writeEndObject();
    }

    private void window(QualityWindow w) throws IOException {
        out.writeObjectFieldStart("now");
        out.writeNumberField("endMillis", w.endMillis());
        figures(w);
        if (w.estimator().isPresent()) {
            out.writeStringField("estimator", w.estimator().get().name());
        }
        measurable(w);
        out.writeNumberField("samples", w.samples());
        out.writeNumberField("degradedSamples", w.degradedSamples());
        out.writeNumberField("expired", w.expired());
        out.writeNumberField("orphans", w.orphans());
        number("expiredShare", QualityHistory.Point.of(w).expiredShare());
        boolean hasSamples = w.samples() > 0;
        number("plainMean", hasSamples ? w.plainMean() : Double.NaN);
        number("p5", hasSamples ? w.p5() : Double.NaN);
        number("p50", hasSamples ? w.p50() : Double.NaN);
        number("belowObjective", hasSamples ? w.belowObjective() : Double.NaN);
        number("failedMature", hasSamples ? w.failedMature() : Double.NaN);
        number("maturePer100", w.maturePer100Queries());
        out.writeObjectFieldStart("bill");
        out.writeNumberField("lateResults", w.bill().lateResults());
        out.writeNumberField("lateWorkMicros", w.bill().lateWorkMicros());
        out.writeNumberField("answerWorkMicros", w.bill().answerWorkMicros());
        out.writeNumberField("emittedBytes", w.bill().emittedBytes());
        out.writeNumberField("droppedEvents", w.bill().droppedEvents());
        out.writeEndObject();
        out.writeEndObject();
    }

    private void variants(List<QualityWindow> windows) throws IOException {
        out.writeArrayFieldStart("variants");
        for (QualityWindow w : windows) {
            out.writeStartObject();
            out.writeStringField("name", w.variant());
            figures(w);
            out.writeNumberField("samples", w.samples());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    /** Writes quality and load. */
    private void figures(QualityWindow w) throws IOException {
        double seconds = Math.max(1, w.endMillis() - w.startMillis()) / 1000.0;
        number("low", w.estimate().map(e -> e.low()).orElse(Double.NaN));
        number("mean", w.estimate().map(e -> e.mean()).orElse(Double.NaN));
        number("high", w.estimate().map(e -> e.high()).orElse(Double.NaN));
        number("offered", w.offered() / seconds);
        number("rejected", w.rejected() / seconds);
        number("answered", w.answered() / seconds);
        number("timedOut", w.timedOut() / seconds);
        number("timeOutShare", QualityHistory.Point.of(w).timeOutShare());
        number("notAsked", w.notAsked() / seconds);
        number("deliberateLoss", w.deliberateLoss());
    }

    /** Writes shares of the answers: the measurable ones, and the others by reason. */
    private void measurable(QualityWindow w) throws IOException {
        number("measurable", w.measurableShare());
        out.writeNumberField("unmeasurableSamples", w.unmeasurableSamples());
        out.writeObjectFieldStart("unmeasurable");
        for (Map.Entry<Unmeasurable, Long> counted : new TreeMap<>(w.unmeasurable()).entrySet()) {
            number(
                    counted.getKey().name(),
                    w.answered() == 0 ? Double.NaN : (double) counted.getValue() / w.answered());
        }
        out.writeEndObject();
    }

    private void admission(Optional<Decision> newest) throws IOException {
        if (newest.isEmpty()) {
            out.writeNullField("admission");
            return;
        }
        Decision d = newest.get();
        out.writeObjectFieldStart("admission");
        number("value", d.value());
        number("previous", d.previous());
        reason(d);
        out.writeNumberField("issuedAtMillis", d.issuedAtMillis());
        out.writeNumberField("validUntilMillis", d.validUntilMillis());
        out.writeNumberField("epoch", d.epoch());
        out.writeNumberField("sequence", d.sequence());
        number("measured", d.measured());
        number("low", d.low());
        number("high", d.high());
        number("objective", d.objective());
        out.writeNumberField("samples", d.samples());
        out.writeEndObject();
    }

    private void reason(Decision d) throws IOException {
        out.writeStringField("mode", d.mode().name());
        out.writeStringField("reason", d.reason());
        out.writeStringField("reasonText", DisplayText.reason(d.reason()));
    }

    private void components(ClassState c, Optional<QualityWindow> window) throws IOException {
        out.writeArrayFieldStart("components");
        if (window.isPresent()) {
            for (ComponentAttribution blame : window.get().components()) {
                out.writeStartObject();
                out.writeStringField("name", blame.component());
                out.writeNumberField("invoked", blame.invoked());
                out.writeNumberField("timedOut", blame.timedOut());
                out.writeNumberField("notAsked", blame.notAsked());
                number(
                        "timeOutShare",
                        blame.invoked() == 0
                                ? Double.NaN
                                : Math.min(1, (double) blame.timedOut() / blame.invoked()));
                number("lostQuality", ClassState.lossPerQuery(window.get(), blame));
                latency(c.latencies.get(blame.component()));
                out.writeEndObject();
            }
        }
        out.writeEndArray();
    }

    private void latency(RecentLatencies latencies) throws IOException {
        Optional<RecentLatencies.Quantiles> quantiles =
                Optional.ofNullable(latencies)
                        .flatMap(l -> l.quantiles(nowMillis - ConsoleModel.LATENCY_MILLIS));
        if (quantiles.isEmpty()) {
            out.writeNullField("latencyMillis");
            return;
        }
        out.writeObjectFieldStart("latencyMillis");
        number("p50", quantiles.get().p50());
        number("p95", quantiles.get().p95());
        number("p99", quantiles.get().p99());
        out.writeEndObject();
    }

    private void history(ClassState c) throws IOException {
        out.writeObjectFieldStart("history");
        out.writeArrayFieldStart("endMillis");
        for (QualityHistory.Point point : c.history().points()) {
            out.writeNumber(point.endMillis());
        }
        out.writeEndArray();
        series("mean", c, p -> p.shown(p.mean()));
        series("low", c, p -> p.shown(p.low()));
        series("high", c, p -> p.shown(p.high()));
        series("timeOutShare", c, QualityHistory.Point::timeOutShare);
        // The decided value; without a valid decision, the measured one.
        series("admitted", c, p -> c.decisions.valueAt(p.endMillis()).orElse(p.admittedShare()));
        series("answeredPerSecond", c, QualityHistory.Point::answeredPerSecond);
        series("expiredShare", c, QualityHistory.Point::expiredShare);
        out.writeEndObject();
    }

    private void series(String name, ClassState c, ToDoubleFunction<QualityHistory.Point> figure)
            throws IOException {
        out.writeArrayFieldStart(name);
        for (QualityHistory.Point point : c.history().points()) {
            rounded(figure.applyAsDouble(point));
        }
        out.writeEndArray();
    }

    /** The newest means, for the sparkline. */
    private void spark(ClassState c) throws IOException {
        out.writeArrayFieldStart("spark");
        Collection<QualityHistory.Point> points = c.history().points();
        Iterator<QualityHistory.Point> newest =
                points.stream().skip(Math.max(0, points.size() - SPARK_POINTS)).iterator();
        while (newest.hasNext()) {
            QualityHistory.Point point = newest.next();
            rounded(point.shown(point.mean()));
        }
        out.writeEndArray();
    }

    private void decisions(ClassState c) throws IOException {
        out.writeArrayFieldStart("decisions");
        for (Decision d : c.decisions.changes()) {
            out.writeStartObject();
            out.writeNumberField("atMillis", d.issuedAtMillis());
            number("value", d.value());
            number("previous", d.previous());
            reason(d);
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void deadline(DeadlineCurve curve) throws IOException {
        if (curve == null) {
            out.writeNullField("deadline");
            return;
        }
        out.writeObjectFieldStart("deadline");
        number("deadlineMillis", curve.deadlineMillis());
        out.writeNumberField("endMillis", curve.endMillis());
        out.writeNumberField("profiles", curve.profiles());
        out.writeArrayFieldStart("points");
        for (DeadlinePoint point : curve.points()) {
            out.writeStartObject();
            number("deadlineMillis", point.deadlineMillis());
            number("low", point.quality().low());
            number("mean", point.quality().mean());
            number("high", point.quality().high());
            number("complete", point.complete());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeArrayFieldStart("components");
        for (ComponentEconomics component : curve.components()) {
            out.writeStartObject();
            out.writeStringField("component", component.component());
            out.writeNumberField("invoked", component.invoked());
            out.writeNumberField("late", component.late());
            number("lostQuality", component.lostQuality());
            number("lostQualityPerLateMinute", component.lostQualityPerLateMinute());
            number("qualityIfFaster", component.qualityIfFaster());
            number("qualityIfReplicated", component.qualityIfReplicated());
            number("qualityIfDropped", component.qualityIfDropped());
            out.writeEndObject();
        }
        out.writeEndArray();
        if (!curve.fanOut().equals(FanOutCurve.NONE)) {
            out.writeObjectFieldStart("fanOut");
            out.writeNumberField("queries", curve.fanOut().queries());
            out.writeBooleanField("calibrated", curve.fanOut().calibrated());
            floors("learned", curve.fanOut().learned());
            floors("perfect", curve.fanOut().perfect());
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    private void floors(String name, List<FanOutFloor> floors) throws IOException {
        out.writeArrayFieldStart(name);
        for (FanOutFloor floor : floors) {
            out.writeStartObject();
            number("effort", floor.effort());
            number("low", floor.quality().low());
            number("mean", floor.quality().mean());
            number("high", floor.quality().high());
            number("belowHalf", floor.belowHalf());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void budget(Optional<ErrorBudget> recent) throws IOException {
        if (recent.isEmpty()) {
            out.writeNullField("budget");
            return;
        }
        ErrorBudget budget = recent.get();
        out.writeObjectFieldStart("budget");
        out.writeStringField("verdict", budget.verdict().name());
        number("remaining", budget.remaining());
        out.writeNumberField("coveredMillis", budget.coveredMillis());
        out.writeNumberField("periodMillis", budget.periodMillis());
        burn("short", budget.shortWindow());
        burn("long", budget.longWindow());
        out.writeArrayFieldStart("causes");
        for (LossCause cause : budget.causes()) {
            out.writeStartObject();
            out.writeStringField("component", cause.component());
            number("share", cause.share());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void burn(String name, BurnRate burn) throws IOException {
        out.writeObjectFieldStart(name);
        out.writeNumberField("windowMillis", burn.windowMillis());
        number("low", burn.low());
        number("rate", burn.rate());
        number("high", burn.high());
        out.writeNumberField("samples", burn.samples());
        out.writeEndObject();
    }

    private void publication(FanOutPublication publication) throws IOException {
        if (publication == null) {
            return;
        }
        out.writeObjectFieldStart("fanOut");
        out.writeStringField("state", publication.state().name());
        out.writeStringField("reason", publication.reason());
        out.writeNumberField("validUntilMillis", publication.validUntilMillis());
        out.writeEndObject();
    }

    private void completeness(CompletenessModel model) throws IOException {
        if (model == null) {
            out.writeNullField("completeness");
            return;
        }
        out.writeObjectFieldStart("completeness");
        out.writeNumberField("queries", model.queries());
        number("usualLoss", model.usualLoss());
        out.writeArrayFieldStart("losses");
        for (ComponentLoss loss : model.losses()) {
            out.writeStartObject();
            out.writeStringField("component", loss.component());
            number("loss", loss.loss());
            out.writeNumberField("queries", loss.queries());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeArrayFieldStart("calibration");
        for (CalibrationBin bin : model.calibration()) {
            out.writeStartObject();
            number("from", bin.from());
            number("to", bin.to());
            out.writeNumberField("queries", bin.queries());
            number("meanPredicted", bin.meanPredicted());
            number("meanMeasured", bin.meanMeasured());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    /** Writes a time; 0 means never and becomes null. */
    private void time(String name, long millis) throws IOException {
        if (millis == 0) {
            out.writeNullField(name);
        } else {
            out.writeNumberField(name, millis);
        }
    }

    void number(String name, double value) throws IOException {
        out.writeFieldName(name);
        rounded(value);
    }

    private void rounded(double value) throws IOException {
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
}
