package io.kipimo.sdk;

import io.kipimo.core.quality.completeness.QualityPrediction;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells what an answer's quality may be expected to be when it leaves, from who is missing in it.
 * It follows the completeness topic, where the quality job publishes what each component's absence
 * has cost. Reads take no lock.
 *
 * <p>A class that the configuration does not name is refused with {@link IllegalArgumentException}.
 */
public final class CompletenessClient {
    /** Response header with the prediction, as {@link #format} writes it. */
    public static final String HEADER = "kipimo-completeness";

    /** Attribute of the answer's span with the prediction, a double. */
    public static final String TRACE_ATTRIBUTE = "kipimo.completeness.predicted";

    /** Components change; what they cost a day ago says little. */
    static final long MAXIMUM_AGE_MILLIS = 24 * 3600 * 1000L;

    /** What was learned, until when. */
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
     * The expected quality of an answer, 0..1. That of an answer with every component is 1 by
     * construction.
     *
     * @param invocations every component that the query invoked, once each
     * @return empty when a component is missing and nothing has been learned within a day
     */
    public OptionalDouble predict(String queryClass, List<Invocation> invocations) {
        Learned learned = KipimoConfig.declared(classes, queryClass).get();
        List<String> missing =
                invocations.stream()
                        .filter(i -> i.outcome() != Outcome.IN_TIME)
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
     * A prediction as text: two decimals, cut rather than rounded, so that 1.00 is a complete
     * answer only.
     */
    public static String format(double prediction) {
        return BigDecimal.valueOf(prediction).setScale(2, RoundingMode.DOWN).toPlainString();
    }

    /** How many models could not be read. */
    public long unreadableModels() {
        return unreadable.sum();
    }

    /** Takes a model if it is of this service and newer; called by one thread. */
    void offer(CompletenessModel model) {
        AtomicReference<Learned> slot =
                model.service().equals(service) ? classes.get(model.queryClass()) : null;
        if (slot != null && (slot.get() == null || slot.get().asOfMillis <= model.asOfMillis())) {
            slot.set(new Learned(QualityPrediction.by(model), model.asOfMillis()));
        }
    }

    void unreadable() {
        unreadable.increment();
    }
}
