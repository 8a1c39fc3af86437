package io.kipimo.sdk;

import io.kipimo.core.quality.merge.QualityPrediction;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Predicts the quality of an answer from its missing components. It follows the completeness topic, where the quality
 * job publishes the quality that each component's absence has cost. Reads take no lock.
 *
 * <p>Methods throw {@link IllegalArgumentException} for a class that the configuration does not name.
 */
public final class CompletenessClient {
    /** Response header with the prediction, as {@link #format} writes it. */
    public static final String HEADER = "kipimo-completeness";

    /** Attribute of the answer's span with the prediction, a double. */
    public static final String TRACE_ATTRIBUTE = "kipimo.completeness.predicted";

    /** Greatest age of a model, one day: components change, so models expire. */
    static final long MAXIMUM_AGE_MILLIS = 24 * 3600 * 1000L;

    /** A model and the time of its newest input. */
    private record Learned(QualityPrediction prediction, long asOfMillis) {}

    private final String service;
    private final Map<String, AtomicReference<Learned>> classes = new LinkedHashMap<>();
    private final LongAdder unreadable = new LongAdder();
    private final InstantSource clock;

    CompletenessClient(KipimoConfig config, InstantSource clock) {
        this.service = config.service();
        this.clock = clock;
        config.classes().keySet().forEach(name -> classes.put(name, new AtomicReference<>()));
    }

    /**
     * The expected quality of an answer, 0..1; 1 by construction if no component is missing.
     *
     * @param invocations every component that the query invoked, once each
     * @return empty if a component is missing and there is no model of the last 24 h, or if a component was not asked
     */
    public OptionalDouble predict(String queryClass, List<Invocation> invocations) {
        return predict(queryClass, invocations, Optional.empty());
    }

    /**
     * The expected quality of an answer that did not ask some components, 0..1.
     *
     * @param invocations every component that the answer lists, once each
     * @param notAskedLoss as in {@link io.kipimo.schemas.quality.Answer#notAskedLoss}
     * @return empty if a component is missing and there is no model of the last 24 h, or if a component was not asked
     *     and the loss is not stated
     */
    public OptionalDouble predict(String queryClass, List<Invocation> invocations, Optional<Double> notAskedLoss) {
        boolean isTrimmed = invocations.stream().anyMatch(i -> i.outcome() == Outcome.NOT_ASKED);
        if (isTrimmed && notAskedLoss.isEmpty()) {
            return OptionalDouble.empty();
        }
        OptionalDouble ofLateness = ofLateness(queryClass, invocations);
        return isTrimmed && ofLateness.isPresent()
                ? OptionalDouble.of(Math.max(0, ofLateness.getAsDouble() - notAskedLoss.get()))
                : ofLateness;
    }

    private OptionalDouble ofLateness(String queryClass, List<Invocation> invocations) {
        Learned learned = KipimoConfig.declared(classes, queryClass).get();
        List<String> missing = invocations.stream()
                .filter(i -> i.outcome().isLate())
                .map(Invocation::component)
                .toList();
        if (missing.isEmpty()) {
            return OptionalDouble.of(1);
        }
        return learned == null || clock.millis() - learned.asOfMillis > MAXIMUM_AGE_MILLIS
                ? OptionalDouble.empty()
                : OptionalDouble.of(learned.prediction.of(missing));
    }

    /**
     * A prediction as text with two decimals. It is truncated, not rounded, so that only a complete answer gets 1.00.
     */
    public static String format(double prediction) {
        return BigDecimal.valueOf(prediction).setScale(2, RoundingMode.DOWN).toPlainString();
    }

    /** Number of records that were not models. */
    public long unreadableModels() {
        return unreadable.sum();
    }

    /** Keeps a model if it belongs to this service and is newer; called by one thread. */
    void offer(CompletenessModel model) {
        AtomicReference<Learned> slot = model.service().equals(service) ? classes.get(model.queryClass()) : null;
        if (slot != null && (slot.get() == null || slot.get().asOfMillis <= model.asOfMillis())) {
            slot.set(new Learned(QualityPrediction.by(model), model.asOfMillis()));
        }
    }

    void unreadable() {
        unreadable.increment();
    }
}
