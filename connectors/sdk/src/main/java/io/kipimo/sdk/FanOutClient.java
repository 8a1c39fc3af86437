package io.kipimo.sdk;

import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.core.quality.fanout.model.FanOutChoice.Reason;
import io.kipimo.core.quality.fanout.model.PublishedFanOut;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.quality.Features;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses which components a query asks. It follows the fan-out topic, where the quality job publishes models of what
 * components contribute. In doubt, a query asks all components: if there is no model, if the model has expired or knows
 * other components, if the query has no features, or if predictions do not hold. Reads take no lock.
 *
 * <p>Methods throw {@link IllegalArgumentException} for a class that the configuration does not name.
 */
public final class FanOutClient {
    private static final Logger LOG = LoggerFactory.getLogger(FanOutClient.class);

    private final String service;
    private final Map<String, AtomicReference<PublishedFanOut>> classes = new LinkedHashMap<>();
    private final Map<Reason, LongAdder> reasons = new EnumMap<>(Reason.class);
    private final LongAdder unreadable = new LongAdder();
    private final InstantSource clock;

    /** Publications with a model; the list is replaced as a whole. */
    private volatile List<PublishedFanOut> published = List.of();

    FanOutClient(KipimoConfig config, InstantSource clock) {
        this.service = config.service();
        this.clock = clock;
        config.classes().keySet().forEach(name -> classes.put(name, new AtomicReference<>()));
        for (Reason reason : Reason.values()) {
            reasons.put(reason, new LongAdder());
        }
    }

    /**
     * Chooses the components to ask for a query, with the share of the full answer that they are expected to keep.
     *
     * @param features features of the query, equal to those in its answer
     * @param components all components of the service, each once
     */
    public FanOutChoice choose(String queryClass, String queryId, Features features, List<String> components) {
        PublishedFanOut newest = KipimoConfig.declared(classes, queryClass).get();
        FanOutChoice choice = newest == null
                ? FanOutChoice.all(components, Reason.NOT_PUBLISHED)
                : newest.choose(queryId, features.hashes(), components, clock.millis());
        reasons.get(choice.reason()).increment();
        return choice;
    }

    /** Number of choices by their reason, of all classes. */
    public Map<Reason, Long> reasons() {
        Map<Reason, Long> counts = new EnumMap<>(Reason.class);
        reasons.forEach((reason, count) -> counts.put(reason, count.sum()));
        return counts;
    }

    /** The newest publication of a class, expired or not; empty: none came yet. */
    public Optional<FanOutPublication> publication(String queryClass) {
        return Optional.ofNullable(KipimoConfig.declared(classes, queryClass).get())
                .map(PublishedFanOut::publication);
    }

    /** Number of records that were not publications, such as models with impossible numbers. */
    public long unreadablePublications() {
        return unreadable.sum();
    }

    /**
     * Share of explored queries, which are always sampled, among the queries that start at this time, 0..1. It is the
     * greatest share of all classes, since a component does not know a query's class.
     */
    double explorationAt(long startedAtMillis) {
        double most = 0;
        for (PublishedFanOut each : published) {
            most = Math.max(most, each.explorationAt(startedAtMillis));
        }
        return most;
    }

    /** Keeps a publication of this service if it is newer; called by one thread. */
    void offer(FanOutPublication publication) {
        AtomicReference<PublishedFanOut> slot =
                publication.service().equals(service) ? classes.get(publication.queryClass()) : null;
        if (slot == null || (slot.get() != null && slot.get().publication().version() > publication.version())) {
            return;
        }
        slot.set(new PublishedFanOut(publication));
        published = classes.values().stream()
                .map(AtomicReference::get)
                .filter(p -> p != null && p.publication().model().isPresent())
                .toList();
    }

    void unreadable() {
        if (unreadable.sum() == 0) {
            LOG.warn("a model in topic fan-out cannot be used; without a good one, all components"
                    + " are asked (logged once)");
        }
        unreadable.increment();
    }
}
