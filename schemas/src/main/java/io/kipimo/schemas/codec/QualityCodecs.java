package io.kipimo.schemas.codec;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.CostDecile;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Estimator;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.wire.AnswerKindProto;
import io.kipimo.schemas.wire.AnswerProto;
import io.kipimo.schemas.wire.ComponentBlameProto;
import io.kipimo.schemas.wire.CostDecileProto;
import io.kipimo.schemas.wire.EstimateProto;
import io.kipimo.schemas.wire.EstimatorProto;
import io.kipimo.schemas.wire.InvocationProto;
import io.kipimo.schemas.wire.ItemsProto;
import io.kipimo.schemas.wire.MeasurementProto;
import io.kipimo.schemas.wire.OutcomeProto;
import io.kipimo.schemas.wire.PartialResultProto;
import io.kipimo.schemas.wire.PhaseProto;
import io.kipimo.schemas.wire.QualityWindowProto;
import io.kipimo.schemas.wire.QueryEventProto;
import io.kipimo.schemas.wire.UnmeasurableCountProto;
import io.kipimo.schemas.wire.UnmeasurableProto;
import io.kipimo.schemas.wire.WindowKindProto;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Records of package {@code schemas.quality} on the wire. */
final class QualityCodecs {
    /**
     * Greatest number of items in a result or answer. Emitters cut further items and mark the
     * record as truncated.
     */
    static final int MAXIMUM_ITEMS = 10_000;

    /** Ten days. */
    static final int LONGEST_DEADLINE_MILLIS = 864_000_000;

    private static final Outcome[] OUTCOMES = Outcome.values();
    private static final AnswerKind[] ANSWER_KINDS = AnswerKind.values();
    private static final Phase[] PHASES = Phase.values();
    private static final Unmeasurable[] UNMEASURABLE_REASONS = Unmeasurable.values();
    private static final WindowKind[] WINDOW_KINDS = WindowKind.values();
    private static final Estimator[] ESTIMATORS = Estimator.values();

    static final RecordMapping<Measurement, MeasurementProto> MEASUREMENT =
            RecordMapping.partly(Measurement.class, MeasurementProto.getDefaultInstance())
                    .with("queryClass", QualityCodecs::queryClass)
                    .with("variant", QualityCodecs::variant)
                    .derived()
                    .check(QualityCodecs::checkUnmeasurable);

    private QualityCodecs() {}

    static ItemsProto toWire(Items items) {
        ItemsProto.Builder wire = ItemsProto.newBuilder();
        for (long number : items.numbers()) {
            wire.addNumbers(number);
        }
        for (String text : items.texts()) {
            wire.addTexts(text);
        }
        for (float score : items.scores()) {
            wire.addScores(score);
        }
        return wire.build();
    }

    static Items fromWire(ItemsProto wire) throws InvalidRecordException {
        int numbers = wire.getNumbersCount();
        int texts = wire.getTextsCount();
        if (numbers > 0 && texts > 0) {
            throw Checks.inconsistent("items have numbers and texts; allowed: one kind");
        }
        if (wire.getScoresCount() != numbers + texts) {
            throw Checks.inconsistent(
                    "items have "
                            + wire.getScoresCount()
                            + " scores for "
                            + (numbers + texts)
                            + " identifiers; allowed: one score each");
        }
        int size = Math.min(MAXIMUM_ITEMS, numbers + texts);
        float[] scores = new float[size];
        for (int i = 0; i < size; i++) {
            scores[i] = (float) Checks.finite("items.scores", wire.getScores(i));
        }
        if (texts > 0) {
            String[] ids = new String[size];
            for (int i = 0; i < size; i++) {
                ids[i] = Checks.text("items.texts", wire.getTexts(i));
            }
            return Items.ofTexts(ids, scores);
        }
        if (size == 0) {
            return Items.NONE;
        }
        long[] ids = new long[size];
        for (int i = 0; i < size; i++) {
            ids[i] = wire.getNumbers(i);
        }
        return Items.ofNumbers(ids, scores);
    }

    private static boolean isOversized(ItemsProto wire) {
        return wire.getScoresCount() > MAXIMUM_ITEMS;
    }

    static AnswerProto toWire(Answer answer) {
        AnswerProto.Builder wire =
                AnswerProto.newBuilder()
                        .setService(answer.service())
                        .setQueryId(answer.queryId())
                        .setQueryClass(answer.queryClass())
                        .setKind(AnswerKindProto.forNumber(answer.kind().ordinal() + 1))
                        .setStartedAtMillis(answer.startedAtMillis())
                        .setAnsweredAtMillis(answer.answeredAtMillis())
                        .setDeadlineMillis(answer.deadlineMillis())
                        .setTopK(answer.topK())
                        .setTruncated(answer.truncated());
        for (Invocation invocation : answer.invocations()) {
            wire.addInvocations(
                    InvocationProto.newBuilder()
                            .setComponent(invocation.component())
                            .setOutcome(toWire(invocation.outcome()))
                            .setLatencyMicros(invocation.latencyMicros()));
        }
        if (!answer.items().isEmpty()) {
            wire.setItems(toWire(answer.items()));
        }
        answer.unmeasurable().ifPresent(reason -> wire.setUnmeasurable(toWire(reason)));
        for (long feature : answer.features().hashes()) {
            wire.addFeatures(feature);
        }
        answer.notAskedLoss().ifPresent(wire::setNotAskedLoss);
        return wire.setExplored(answer.explored()).setVariant(answer.variant()).build();
    }

    static Answer fromWire(AnswerProto wire) throws InvalidRecordException {
        Checks.parts("invocations", wire.getInvocationsCount());
        List<Invocation> invocations = new ArrayList<>(wire.getInvocationsCount());
        for (InvocationProto invocation : wire.getInvocationsList()) {
            invocations.add(
                    new Invocation(
                            Checks.name("invocations.component", invocation.getComponent()),
                            Checks.constant(
                                    "invocations.outcome", invocation.getOutcomeValue(), OUTCOMES),
                            Checks.latencyMicros(
                                    "invocations.latency_micros", invocation.getLatencyMicros())));
        }
        requireDistinct(invocations);
        long started = Checks.millis("started_at_millis", wire.getStartedAtMillis());
        long answered = Checks.millis("answered_at_millis", wire.getAnsweredAtMillis());
        if (answered < started) {
            throw Checks.inconsistent(
                    "answered_at_millis is "
                            + answered
                            + ", before started_at_millis, "
                            + started
                            + "; allowed: not before");
        }
        return AnswerBuilder.builder()
                .service(Checks.name("service", wire.getService()))
                .queryId(Checks.text("query_id", wire.getQueryId()))
                .queryClass(Checks.name("query_class", wire.getQueryClass()))
                .kind(Checks.constant("kind", wire.getKindValue(), ANSWER_KINDS))
                .startedAtMillis(started)
                .answeredAtMillis(answered)
                .deadlineMillis(
                        (int)
                                Checks.within(
                                        "deadline_millis",
                                        wire.getDeadlineMillis(),
                                        0,
                                        LONGEST_DEADLINE_MILLIS))
                .topK((int) Checks.within("top_k", wire.getTopK(), 0, MAXIMUM_ITEMS))
                .invocations(List.copyOf(invocations))
                .items(fromWire(wire.getItems()))
                .truncated(wire.getTruncated() || isOversized(wire.getItems()))
                .unmeasurable(unmeasurable(wire.getUnmeasurableValue()))
                .features(Features.of(wire.getFeaturesList().stream().mapToLong(f -> f).toArray()))
                .notAskedLoss(
                        wire.hasNotAskedLoss()
                                ? Optional.of(
                                        Checks.fraction("not_asked_loss", wire.getNotAskedLoss()))
                                : Optional.empty())
                .explored(wire.getExplored())
                .variant(Checks.optionalName("variant", wire.getVariant()))
                .build();
    }

    private static void requireDistinct(List<Invocation> invocations)
            throws InvalidRecordException {
        Set<String> seen = new HashSet<>();
        for (Invocation invocation : invocations) {
            if (!seen.add(invocation.component())) {
                throw Checks.inconsistent(
                        "invocations names component '"
                                + invocation.component()
                                + "' twice; allowed: once");
            }
        }
    }

    static PartialResultProto toWire(PartialResult partial) {
        return PartialResultProto.newBuilder()
                .setService(partial.service())
                .setQueryId(partial.queryId())
                .setComponent(partial.component())
                .setServer(partial.server())
                .setPhase(PhaseProto.forNumber(partial.phase().ordinal() + 1))
                .setCompletedAtMillis(partial.completedAtMillis())
                .setLatencyMicros(partial.latencyMicros())
                .setItems(toWire(partial.items()))
                .setTruncated(partial.truncated())
                .setStartedAtMillis(partial.startedAtMillis())
                .build();
    }

    static PartialResult fromWire(PartialResultProto wire) throws InvalidRecordException {
        return PartialResultBuilder.builder()
                .service(Checks.name("service", wire.getService()))
                .queryId(Checks.text("query_id", wire.getQueryId()))
                .component(Checks.name("component", wire.getComponent()))
                .server(Checks.optionalText("server", wire.getServer()))
                .phase(Checks.constant("phase", wire.getPhaseValue(), PHASES))
                .completedAtMillis(
                        Checks.millis("completed_at_millis", wire.getCompletedAtMillis()))
                .latencyMicros(Checks.latencyMicros("latency_micros", wire.getLatencyMicros()))
                .items(fromWire(wire.getItems()))
                .truncated(wire.getTruncated() || isOversized(wire.getItems()))
                .startedAtMillis(
                        Checks.within(
                                "started_at_millis",
                                wire.getStartedAtMillis(),
                                0,
                                Checks.LATEST_MILLIS))
                .build();
    }

    static QueryEventProto toWire(QueryEvent event) {
        QueryEventProto.Builder wire =
                QueryEventProto.newBuilder()
                        .setPartition(event.partition())
                        .setOffset(event.offset());
        if (event.isAnswer()) {
            wire.setAnswer(toWire(event.answer()));
        } else {
            wire.setPartial(toWire(event.partial()));
        }
        return wire.build();
    }

    static QueryEvent fromWire(QueryEventProto wire) throws InvalidRecordException {
        Answer answer = null;
        PartialResult partial = null;
        switch (wire.getEventCase()) {
            case ANSWER -> answer = fromWire(wire.getAnswer());
            case PARTIAL -> partial = fromWire(wire.getPartial());
            case EVENT_NOT_SET ->
                    throw Checks.inconsistent("event is not set; allowed: answer or partial");
        }
        return new QueryEvent(
                answer,
                partial,
                (int) Checks.within("partition", wire.getPartition(), 0, Integer.MAX_VALUE),
                Checks.count("offset", wire.getOffset()));
    }

    private static String queryClass(String field, MeasurementProto wire, Problems problems) {
        return problems.check(
                "?",
                () ->
                        switch (wire.getCompleteness()) {
                            // The class of an orphan is unknown. Other measurements without a class
                            // are refused anyway.
                            case ORPHAN, COMPLETENESS_PROTO_UNSPECIFIED, UNRECOGNIZED ->
                                    Checks.optionalText(field, wire.getQueryClass());
                            default -> Checks.name(field, wire.getQueryClass());
                        });
    }

    private static String variant(String field, MeasurementProto wire, Problems problems) {
        return problems.check("?", () -> Checks.optionalName(field, wire.getVariant()));
    }

    static void checkUnmeasurable(String path, Measurement measurement, MeasurementProto wire)
            throws InvalidRecordException {
        if (measurement.unmeasurable().isPresent()
                != (measurement.completeness() == Completeness.NOT_MEASURABLE)) {
            throw Checks.inconsistent(
                    "unmeasurable is "
                            + measurement.unmeasurable().map(Unmeasurable::name).orElse("not set")
                            + " and completeness "
                            + measurement.completeness()
                            + "; allowed: set with NOT_MEASURABLE alone");
        }
    }

    static QualityWindowProto toWire(QualityWindow window) {
        QualityWindowProto.Builder wire =
                QualityWindowProto.newBuilder()
                        .setService(window.service())
                        .setQueryClass(window.queryClass())
                        .setMetric(window.metric())
                        .setKind(WindowKindProto.forNumber(window.kind().ordinal() + 1))
                        .setStartMillis(window.startMillis())
                        .setEndMillis(window.endMillis())
                        .setOffered(window.offered())
                        .setRejected(window.rejected())
                        .setAnswered(window.answered())
                        .setTimedOut(window.timedOut())
                        .setSamples(window.samples())
                        .setDegradedSamples(window.degradedSamples())
                        .setExpired(window.expired())
                        .setOrphans(window.orphans())
                        .setAveragedSamples(window.averagedSamples())
                        .setPlainMean(window.plainMean())
                        .setStandardDeviation(window.standardDeviation())
                        .setP5(window.p5())
                        .setP50(window.p50())
                        .setMinimum(window.minimum())
                        .setBelowObjective(window.belowObjective())
                        .setObjective(window.objective())
                        .setFailedMature(window.failedMature())
                        .setMaturePer100Queries(window.maturePer100Queries())
                        .setLossPerTimeOut(window.lossPerTimeOut().orElse(-1.0))
                        .setLateResults(window.bill().lateResults())
                        .setLateWorkMicros(window.bill().lateWorkMicros())
                        .setEmittedBytes(window.bill().emittedBytes())
                        .setDroppedEvents(window.bill().droppedEvents())
                        .setAnswerWorkMicros(window.bill().answerWorkMicros())
                        .addAllUnmeasurable(toWire(window.unmeasurable()))
                        .setUnmeasurableSamples(window.unmeasurableSamples())
                        .setNotAsked(window.notAsked())
                        .setDeliberateLoss(window.deliberateLoss())
                        .setVariant(window.variant());
        window.estimate().ifPresent(e -> wire.setEstimate(toWire(e)));
        window.averaged().ifPresent(e -> wire.setAveraged(toWire(e)));
        window.estimator()
                .ifPresent(e -> wire.setEstimator(EstimatorProto.forNumber(e.ordinal() + 1)));
        for (ComponentAttribution blame : window.components()) {
            wire.addComponents(
                    ComponentBlameProto.newBuilder()
                            .setComponent(blame.component())
                            .setInvoked(blame.invoked())
                            .setTimedOut(blame.timedOut())
                            .setLostQuality(blame.lostQuality())
                            .setNotAsked(blame.notAsked()));
        }
        for (CostDecile decile : window.costDeciles()) {
            wire.addCostDeciles(
                    CostDecileProto.newBuilder()
                            .setUpTo(decile.upTo())
                            .setOffered(decile.offered())
                            .setAnswered(decile.answered())
                            .setWorkMicros(decile.workMicros()));
        }
        return wire.build();
    }

    static QualityWindow fromWire(QualityWindowProto wire) throws InvalidRecordException {
        long start = Checks.millis("start_millis", wire.getStartMillis());
        Checks.parts("components", wire.getComponentsCount());
        List<ComponentAttribution> components = new ArrayList<>(wire.getComponentsCount());
        for (ComponentBlameProto blame : wire.getComponentsList()) {
            components.add(
                    new ComponentAttribution(
                            Checks.name("components.component", blame.getComponent()),
                            Checks.count("components.invoked", blame.getInvoked()),
                            Checks.count("components.timed_out", blame.getTimedOut()),
                            Checks.finite("components.lost_quality", blame.getLostQuality()),
                            Checks.count("components.not_asked", blame.getNotAsked())));
        }
        long answered = Checks.count("answered", wire.getAnswered());
        double loss = Checks.within("loss_per_time_out", wire.getLossPerTimeOut(), -1, 1);
        return QualityWindow.builder()
                .service(Checks.name("service", wire.getService()))
                .queryClass(Checks.name("query_class", wire.getQueryClass()))
                .metric(Checks.name("metric", wire.getMetric()))
                .kind(Checks.constant("kind", wire.getKindValue(), WINDOW_KINDS))
                .startMillis(start)
                .endMillis(Checks.within("end_millis", wire.getEndMillis(), start, Long.MAX_VALUE))
                .offered(Checks.count("offered", wire.getOffered()))
                .rejected(Checks.count("rejected", wire.getRejected()))
                .answered(answered)
                .timedOut(Checks.count("timed_out", wire.getTimedOut()))
                .samples((int) Checks.within("samples", wire.getSamples(), 0, Integer.MAX_VALUE))
                .degradedSamples(
                        (int)
                                Checks.within(
                                        "degraded_samples",
                                        wire.getDegradedSamples(),
                                        0,
                                        Integer.MAX_VALUE))
                .expired((int) Checks.within("expired", wire.getExpired(), 0, Integer.MAX_VALUE))
                .orphans((int) Checks.within("orphans", wire.getOrphans(), 0, Integer.MAX_VALUE))
                .estimate(
                        wire.hasEstimate()
                                ? Optional.of(fromWire("estimate", wire.getEstimate()))
                                : Optional.empty())
                .averaged(
                        wire.hasAveraged()
                                ? Optional.of(fromWire("averaged", wire.getAveraged()))
                                : Optional.empty())
                .averagedSamples(
                        (int)
                                Checks.within(
                                        "averaged_samples",
                                        wire.getAveragedSamples(),
                                        0,
                                        Integer.MAX_VALUE))
                .plainMean(Checks.fraction("plain_mean", wire.getPlainMean()))
                .standardDeviation(
                        Checks.fraction("standard_deviation", wire.getStandardDeviation()))
                .p5(Checks.fraction("p5", wire.getP5()))
                .p50(Checks.fraction("p50", wire.getP50()))
                .minimum(Checks.fraction("minimum", wire.getMinimum()))
                .belowObjective(Checks.fraction("below_objective", wire.getBelowObjective()))
                .objective(Checks.fraction("objective", wire.getObjective()))
                .components(List.copyOf(components))
                .failedMature(Checks.fraction("failed_mature", wire.getFailedMature()))
                .maturePer100Queries(
                        Checks.within(
                                "mature_per_100_queries",
                                wire.getMaturePer100Queries(),
                                0,
                                Double.MAX_VALUE))
                .lossPerTimeOut(loss < 0 ? Optional.empty() : Optional.of(loss))
                .bill(
                        new MeasurementBill(
                                Checks.count("late_results", wire.getLateResults()),
                                Checks.count("late_work_micros", wire.getLateWorkMicros()),
                                Checks.count("emitted_bytes", wire.getEmittedBytes()),
                                Checks.count("dropped_events", wire.getDroppedEvents()),
                                Checks.count("answer_work_micros", wire.getAnswerWorkMicros())))
                .unmeasurable(fromWire(wire.getUnmeasurableList(), answered))
                .unmeasurableSamples(
                        (int)
                                Checks.within(
                                        "unmeasurable_samples",
                                        wire.getUnmeasurableSamples(),
                                        0,
                                        Integer.MAX_VALUE))
                .estimator(
                        wire.getEstimatorValue() == 0
                                ? Optional.empty()
                                : Optional.of(
                                        Checks.constant(
                                                "estimator", wire.getEstimatorValue(), ESTIMATORS)))
                .costDeciles(costDeciles(wire.getCostDecilesList()))
                .notAsked(Checks.count("not_asked", wire.getNotAsked()))
                .deliberateLoss(Checks.fraction("deliberate_loss", wire.getDeliberateLoss()))
                .variant(Checks.optionalName("variant", wire.getVariant()))
                .build();
    }

    private static List<CostDecile> costDeciles(List<CostDecileProto> wire)
            throws InvalidRecordException {
        Checks.parts("cost_deciles", wire.size());
        List<CostDecile> deciles = new ArrayList<>(wire.size());
        double least = 0;
        for (CostDecileProto decile : wire) {
            least =
                    Checks.within(
                            "cost_deciles.up_to",
                            decile.getUpTo(),
                            Math.nextUp(least),
                            Double.MAX_VALUE);
            deciles.add(
                    new CostDecile(
                            least,
                            Checks.count("cost_deciles.offered", decile.getOffered()),
                            Checks.count("cost_deciles.answered", decile.getAnswered()),
                            Checks.within(
                                    "cost_deciles.work_micros",
                                    decile.getWorkMicros(),
                                    0,
                                    Checks.LONGEST_MICROS * 1.0 * Checks.MAXIMUM_PARTS)));
        }
        return List.copyOf(deciles);
    }

    static EstimateProto toWire(Estimate estimate) {
        return EstimateProto.newBuilder()
                .setLow(estimate.low())
                .setMean(estimate.mean())
                .setHigh(estimate.high())
                .build();
    }

    static Estimate fromWire(String field, EstimateProto wire) throws InvalidRecordException {
        double low = Checks.fraction(field + ".low", wire.getLow());
        double mean = Checks.within(field + ".mean", wire.getMean(), low, 1);
        return new Estimate(low, mean, Checks.within(field + ".high", wire.getHigh(), mean, 1));
    }

    /**
     * Answers that are not measurable, by reason.
     *
     * @param answered number of all answers, which bounds the counts
     */
    static Map<Unmeasurable, Long> fromWire(List<UnmeasurableCountProto> wire, long answered)
            throws InvalidRecordException {
        if (wire.isEmpty()) {
            return Map.of();
        }
        Map<Unmeasurable, Long> counts = new EnumMap<>(Unmeasurable.class);
        long left = answered;
        for (UnmeasurableCountProto count : wire) {
            Unmeasurable reason =
                    Checks.constant(
                            "unmeasurable.reason", count.getReasonValue(), UNMEASURABLE_REASONS);
            left -= Checks.within("unmeasurable.answers", count.getAnswers(), 0, left);
            if (counts.put(reason, count.getAnswers()) != null) {
                throw Checks.inconsistent(
                        "unmeasurable names reason " + reason + " twice; allowed: once");
            }
        }
        return Collections.unmodifiableMap(counts);
    }

    static List<UnmeasurableCountProto> toWire(Map<Unmeasurable, Long> counts) {
        return counts.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(
                        count ->
                                UnmeasurableCountProto.newBuilder()
                                        .setReason(toWire(count.getKey()))
                                        .setAnswers(count.getValue())
                                        .build())
                .toList();
    }

    static Optional<Unmeasurable> unmeasurable(int wire) throws InvalidRecordException {
        return wire == 0
                ? Optional.empty()
                : Optional.of(Checks.constant("unmeasurable", wire, UNMEASURABLE_REASONS));
    }

    private static UnmeasurableProto toWire(Unmeasurable reason) {
        return UnmeasurableProto.forNumber(reason.ordinal() + 1);
    }

    private static OutcomeProto toWire(Outcome outcome) {
        return OutcomeProto.forNumber(outcome.ordinal() + 1);
    }
}
