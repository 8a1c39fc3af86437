package io.kipimo.sdk;

import io.kipimo.core.admission.CostBins;
import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.CostCount;
import io.kipimo.schemas.observation.MissingCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.Variants;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Counts every query, sampled or not, and publishes one {@link Observation} for each class and closed second, also for
 * seconds without queries. Counting takes no lock.
 *
 * <p>Names of components that readers refuse are {@linkplain Names#cleaned cleaned}. A component without a name, and
 * those beyond 10,000 or 300 kB of names, are not counted.
 *
 * <p>Call {@link #offered} for every query, then {@link #rejected} or {@link #answered}. Methods throw
 * {@link IllegalArgumentException} for a class that the configuration does not name. An instance that serves several
 * variants counts each with its {@linkplain #ofVariant own meter}.
 */
public final class ServiceMeter {
    /** After a pause of more seconds than this, the earlier ones, which have no counts, are left out. */
    private static final long MAXIMUM_SECONDS = 60;

    /** Number of counted units in a loss of 1. */
    private static final long LOSS_UNITS = 1_000_000_000;

    /** Limit of components that a record may hold. */
    private static final int MAXIMUM_COMPONENTS = 10_000;

    /**
     * Limit of the bytes of the components' names in UTF-8 and of their counts. A record has each name up to three
     * times, and with this limit fits into Kafka's default of 1 MiB.
     */
    private static final int MAXIMUM_COMPONENT_BYTES = 300_000;

    private static final int COUNT_BYTES = 16;

    /** Longest time of a component, microseconds; a longer time counts as this. */
    private static final long LONGEST_MICROS = (long) Range.LONGEST_MICROS;

    /** Limit of a count; an excess counts in the next second. */
    private static final long LARGEST_COUNT = (long) Range.LARGEST_COUNT;

    private final KipimoConfig config;
    private final String variant;
    private final Map<String, ClassCounters> classes = new LinkedHashMap<>();

    /** The meters of all variants, this one included; they share the map. */
    private final Map<String, ServiceMeter> variants;

    private final ToDoubleFunction<String> admittedFraction;
    private final Supplier<EmitterStats> emitted;
    private final Consumer<Observation> publisher;

    // Used by the publishing thread alone.
    private EmitterStats emittedBefore = new EmitterStats(0, 0, 0, 0, 0);
    private long nextSecond;

    /**
     * @param admittedFraction admitted fraction of a class that applies now
     * @param emitted delivery counts of the emitter
     * @param nowMillis start; the second in which it falls is the first one published
     */
    ServiceMeter(
            KipimoConfig config,
            ToDoubleFunction<String> admittedFraction,
            Supplier<EmitterStats> emitted,
            Consumer<Observation> publisher,
            long nowMillis) {
        this(config, config.variant(), new ConcurrentHashMap<>(), admittedFraction, emitted, publisher, nowMillis);
        variants.put(variant, this);
    }

    private ServiceMeter(
            KipimoConfig config,
            String variant,
            Map<String, ServiceMeter> variants,
            ToDoubleFunction<String> admittedFraction,
            Supplier<EmitterStats> emitted,
            Consumer<Observation> publisher,
            long nowMillis) {
        this.config = config;
        this.variant = variant;
        this.variants = variants;
        config.classes().keySet().forEach(name -> classes.put(name, new ClassCounters()));
        this.admittedFraction = admittedFraction;
        this.emitted = emitted;
        this.publisher = publisher;
        this.nextSecond = Math.floorDiv(nowMillis, 1000);
    }

    /**
     * The meter of a variant, for an instance that serves several, such as the arms of an experiment. Give the answers
     * to its queries the meter's {@link #variant}. There are at most {@value Variants#MOST} names; further ones count
     * as {@value Variants#OTHER}.
     *
     * @throws IllegalArgumentException if {@code name} is not a valid name
     */
    public ServiceMeter ofVariant(String name) {
        ServiceMeter known = name == null ? null : variants.get(name);
        if (known != null) {
            return known;
        }
        List<String> problems = new ArrayList<>();
        KipimoConfig.checkName("variant", name, problems);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(problems.get(0));
        }
        String kept = variants.size() < Variants.MOST ? name : Variants.OTHER;
        return variants.computeIfAbsent(
                kept, v -> new ServiceMeter(config, v, variants, admittedFraction, emitted, publisher, 0));
    }

    /** The variant that this meter counts; empty: none. */
    public String variant() {
        return variant;
    }

    /** A query arrived. */
    public void offered(String queryClass) {
        counters(queryClass).offered.increment();
    }

    /**
     * A query arrived.
     *
     * @param cost as given to {@link AdmissionClient#admits(String, String, double)}
     */
    public void offered(String queryClass, double cost) {
        ClassCounters counters = counters(queryClass);
        if (CostBins.isKnown(cost)) {
            counters.cost(cost).offered.increment();
        }
        counters.offered.increment();
    }

    /**
     * Moves a query that was {@linkplain #offered(String, double) offered} here to another variant, which a server
     * named in its answer. The query then counts as offered to that variant, and no longer here. If this second has too
     * few offered queries to subtract it from, it is subtracted in a later second.
     *
     * @param cost as given to {@link #offered(String, double)}; 0: not known
     */
    public void offeredTo(ServiceMeter other, String queryClass, double cost) {
        if (other == this) {
            return;
        }
        other.offered(queryClass, cost);
        ClassCounters counters = counters(queryClass);
        if (CostBins.isKnown(cost)) {
            counters.cost(cost).offeredToOthers.increment();
        }
        counters.offeredToOthers.increment();
    }

    /** A query was shed at admission. */
    public void rejected(String queryClass) {
        counters(queryClass).rejected.increment();
    }

    /**
     * An answer left.
     *
     * @param invocations every component that the query invoked, once each; if empty, nothing proves the answer
     *     complete, so it counts as not measurable
     */
    public void answered(String queryClass, List<Invocation> invocations) {
        answered(queryClass, invocations, Optional.empty());
    }

    /**
     * An answer left. An answer that is not measurable is counted by its reason, neither as complete nor as timed out.
     *
     * @param invocations every component that the query invoked, once each
     * @param unmeasurable as in {@link io.kipimo.schemas.quality.Answer#whyUnmeasurable}
     */
    public void answered(String queryClass, List<Invocation> invocations, Optional<Unmeasurable> unmeasurable) {
        answered(queryClass, invocations, unmeasurable, 0);
    }

    /**
     * An answer left. The time that its components took counts as the work of queries of this predicted cost.
     *
     * @param invocations every component that the query invoked, once each
     * @param unmeasurable as in {@link io.kipimo.schemas.quality.Answer#whyUnmeasurable}
     * @param cost as given to {@link #offered(String, double)}
     */
    public void answered(
            String queryClass, List<Invocation> invocations, Optional<Unmeasurable> unmeasurable, double cost) {
        answered(queryClass, invocations, unmeasurable, cost, Optional.empty());
    }

    /**
     * An answer left; some of its components may be {@link Outcome#NOT_ASKED}.
     *
     * @param invocations every component that the answer lists, once each
     * @param unmeasurable as in {@link io.kipimo.schemas.quality.Answer#whyUnmeasurable}
     * @param cost as given to {@link #offered(String, double)}; 0: not known
     * @param notAskedLoss as in {@link io.kipimo.schemas.quality.Answer#notAskedLoss}, 0..1. If a component was not
     *     asked and this is empty, the whole answer counts as lost
     */
    public void answered(
            String queryClass,
            List<Invocation> invocations,
            Optional<Unmeasurable> unmeasurable,
            double cost,
            Optional<Double> notAskedLoss) {
        ClassCounters counters = counters(queryClass);
        Optional<Unmeasurable> reason =
                unmeasurable.isEmpty() && invocations.stream().allMatch(i -> i.outcome() == Outcome.NOT_ASKED)
                        ? Optional.of(Unmeasurable.NO_COMPONENTS)
                        : unmeasurable;
        boolean degraded = false;
        boolean trimmed = false;
        long workMicros = 0;
        for (Invocation invocation : invocations) {
            if (invocation.outcome() == Outcome.NOT_ASKED) {
                trimmed = true;
                ComponentCounters component = counters.component(invocation.component());
                if (component != null && reason.isEmpty()) {
                    component.notAsked.increment();
                }
                continue;
            }
            boolean inTime = invocation.outcome() == Outcome.IN_TIME;
            degraded |= !inTime;
            workMicros += work(invocation.latencyMicros());
            ComponentCounters component = counters.component(invocation.component());
            if (component != null) {
                if (invocation.outcome() == Outcome.TIMED_OUT) {
                    component.timedOut.increment();
                }
                if (!inTime && reason.isEmpty()) {
                    component.missing.increment();
                }
                component.invoked.increment();
            }
        }
        if (reason.isPresent()) {
            counters.unmeasurable.get(reason.get()).increment();
        } else if (degraded) {
            counters.degraded.increment();
        }
        if (trimmed && reason.isEmpty()) {
            // What is no share is not known either.
            double loss = notAskedLoss.filter(l -> l >= 0 && l <= 1).orElse(1.0);
            counters.notAskedLoss.add(Math.round(loss * LOSS_UNITS));
            counters.notAsked.increment();
        }
        if (CostBins.isKnown(cost)) {
            CostCounters ofCost = counters.cost(cost);
            ofCost.workMicros.add(workMicros);
            ofCost.answered.increment();
        }
        counters.answerWorkMicros.add(workMicros);
        counters.answered.increment();
    }

    /**
     * Counts the list of an answer, for the rate of answers without any item. Call it for all {@linkplain #answered
     * answered} queries whose list is known, or for a random sample of them, such as the sampled queries; never for
     * only the queries whose answers lack something.
     *
     * @param items number of items that the user got
     */
    public void listed(String queryClass, int items) {
        ClassCounters counters = counters(queryClass);
        if (items == 0) {
            counters.empty.increment();
        }
        counters.listed.increment();
    }

    /**
     * A result that was awaited only for the measurement came after the deadline.
     *
     * @param workMicros time that the component spent on it after the deadline, microseconds
     */
    public void lateResult(String queryClass, long workMicros) {
        ClassCounters counters = counters(queryClass);
        counters.lateResults.increment();
        counters.lateWorkMicros.add(work(workMicros));
    }

    private static long work(long micros) {
        return Math.max(0, Math.min(LONGEST_MICROS, micros));
    }

    private ClassCounters counters(String queryClass) {
        return KipimoConfig.declared(classes, queryClass);
    }

    /**
     * Publishes all closed seconds that are not published yet. Counts since the last call belong to the newest of these
     * seconds. Called by one thread at a time.
     */
    void publishClosedSeconds(long nowMillis) {
        long open = Math.floorDiv(nowMillis, 1000);
        if (open <= nextSecond) {
            return;
        }
        for (long second = Math.max(nextSecond, open - MAXIMUM_SECONDS); second < open; second++) {
            boolean newest = second == open - 1;
            EmitterStats emittedNow = newest ? emitted.get() : emittedBefore;
            // The emitter serves all classes; its cost is charged to the first one.
            long bytes = emittedNow.deliveredBytes() - emittedBefore.deliveredBytes();
            long drops = emittedNow.dropped() - emittedBefore.dropped();
            emittedBefore = emittedNow;
            for (ServiceMeter meter : variants.values()) {
                meter.publish(second, newest, meter == this ? bytes : 0, meter == this ? drops : 0);
            }
        }
        nextSecond = open;
    }

    private void publish(long second, boolean newest, long bytes, long drops) {
        long emittedBytes = bytes;
        long emitterDrops = drops;
        for (Map.Entry<String, ClassCounters> entry : classes.entrySet()) {
            String queryClass = entry.getKey();
            ObservationBuilder observation = ObservationBuilder.builder()
                    .service(config.service())
                    .tier(config.tier())
                    .server(config.server())
                    .queryClass(queryClass)
                    .secondMillis(second * 1000)
                    .admittedFraction(admittedFraction.applyAsDouble(queryClass))
                    .variant(variant)
                    .safeFraction(Optional.of(config.classes().get(queryClass).safeFraction()))
                    .bill(new MeasurementBill(0, 0, emittedBytes, emitterDrops, 0));
            if (newest) {
                entry.getValue().take(observation, emittedBytes, emitterDrops);
            }
            publisher.accept(observation.build());
            emittedBytes = 0;
            emitterDrops = 0;
        }
    }

    private static final class ClassCounters {
        final Counter offered = new Counter();
        final Counter offeredToOthers = new Counter();
        final Counter rejected = new Counter();
        final Counter answered = new Counter();
        final Counter degraded = new Counter();
        final Counter notAsked = new Counter();

        /** Sum of the deliberate losses, in parts of 1 / {@link #LOSS_UNITS}. */
        final Counter notAskedLoss = new Counter();

        final Counter listed = new Counter();
        final Counter empty = new Counter();
        final Counter lateResults = new Counter();
        final Counter lateWorkMicros = new Counter();
        final Counter answerWorkMicros = new Counter();
        final Map<String, ComponentCounters> components = new ConcurrentHashMap<>();

        /** Bytes left for the names and counts of further components. */
        private volatile int freeBytes = MAXIMUM_COMPONENT_BYTES;

        final Map<Unmeasurable, Counter> unmeasurable = new EnumMap<>(Unmeasurable.class);

        /** Counts by bin of predicted cost; the number of bins is bounded. */
        final Map<Integer, CostCounters> costs = new ConcurrentHashMap<>();

        ClassCounters() {
            for (Unmeasurable reason : Unmeasurable.values()) {
                unmeasurable.put(reason, new Counter());
            }
        }

        /**
         * The counters of a component; null if it has no name or there are too many names. Names may come from
         * requests, so their number is bounded.
         */
        ComponentCounters component(String name) {
            ComponentCounters known = name == null ? null : components.get(name);
            if (known != null) {
                return known;
            }
            String cleaned = Names.cleaned(name);
            int bytes = COUNT_BYTES + cleaned.getBytes(StandardCharsets.UTF_8).length;
            return cleaned.isEmpty() || bytes > freeBytes ? components.get(cleaned) : keep(cleaned, bytes);
        }

        private synchronized ComponentCounters keep(String cleaned, int bytes) {
            ComponentCounters known = components.get(cleaned);
            if (known != null || components.size() >= MAXIMUM_COMPONENTS || bytes > freeBytes) {
                return known;
            }
            ComponentCounters kept = new ComponentCounters();
            components.put(cleaned, kept);
            freeBytes = components.size() < MAXIMUM_COMPONENTS ? freeBytes - bytes : 0;
            return kept;
        }

        CostCounters cost(double cost) {
            return costs.computeIfAbsent(CostBins.of(cost), bin -> new CostCounters());
        }

        /**
         * Takes all counts such that a part never exceeds its whole; any excess counts in the next second. Parts are
         * incremented before their wholes and taken after them, so no part is missing from its whole.
         */
        void take(ObservationBuilder observation, long emittedBytes, long emitterDrops) {
            long offeredNow = offered.takeLess(offeredToOthers, LARGEST_COUNT);
            long answeredNow = answered.take(LARGEST_COUNT);
            long degradedNow = degraded.take(answeredNow);
            List<ComponentCount> counts = new ArrayList<>(components.size());
            long notAskedNow = notAsked.take(answeredNow);
            long listedNow = listed.take(answeredNow);
            List<MissingCount> missing = new ArrayList<>();
            List<MissingCount> withoutAsking = new ArrayList<>();
            components.forEach((name, component) -> {
                long answersNotAsking = component.notAsked.take(notAskedNow);
                if (answersNotAsking > 0) {
                    withoutAsking.add(new MissingCount(name, answersNotAsking));
                }
                long invoked = component.invoked.take(LARGEST_COUNT);
                counts.add(new ComponentCount(name, invoked, component.timedOut.take(invoked)));
                long answersWithout = component.missing.take(degradedNow);
                if (answersWithout > 0) {
                    missing.add(new MissingCount(name, answersWithout));
                }
            });
            counts.sort(Comparator.comparing(ComponentCount::component));
            missing.sort(Comparator.comparing(MissingCount::component));
            withoutAsking.sort(Comparator.comparing(MissingCount::component));
            observation
                    .offered(offeredNow)
                    .rejected(rejected.take(offeredNow))
                    .answered(answeredNow)
                    .timedOut(degradedNow)
                    .components(List.copyOf(counts))
                    .bill(new MeasurementBill(
                            lateResults.take(LARGEST_COUNT),
                            lateWorkMicros.take(LARGEST_COUNT),
                            emittedBytes,
                            emitterDrops,
                            answerWorkMicros.take(LARGEST_COUNT)))
                    .unmeasurable(takeUnmeasurable(answeredNow - degradedNow))
                    .missing(List.copyOf(missing))
                    .costs(takeCosts(offeredNow, answeredNow))
                    .notAsked(notAskedNow)
                    .notAskedLossSum((double) notAskedLoss.take(notAskedNow * LOSS_UNITS) / LOSS_UNITS)
                    .notAskedComponents(List.copyOf(withoutAsking))
                    .listed(listedNow)
                    .empty(empty.take(listedNow));
        }

        private List<CostCount> takeCosts(long mostOffered, long mostAnswered) {
            List<CostCount> taken = new ArrayList<>();
            costs.forEach((bin, count) -> {
                long offeredNow = count.offered.takeLess(count.offeredToOthers, mostOffered);
                long answeredNow = count.answered.take(mostAnswered);
                if (offeredNow > 0 || answeredNow > 0) {
                    taken.add(new CostCount(bin, offeredNow, answeredNow, count.workMicros.take(LARGEST_COUNT)));
                }
            });
            taken.sort(Comparator.comparingInt(CostCount::bin));
            return List.copyOf(taken);
        }

        private Map<Unmeasurable, Long> takeUnmeasurable(long most) {
            Map<Unmeasurable, Long> taken = new EnumMap<>(Unmeasurable.class);
            long left = most;
            for (Map.Entry<Unmeasurable, Counter> reason : unmeasurable.entrySet()) {
                long answers = reason.getValue().take(left);
                if (answers > 0) {
                    taken.put(reason.getKey(), answers);
                    left -= answers;
                }
            }
            return Collections.unmodifiableMap(taken);
        }
    }

    private static final class CostCounters {
        final Counter offered = new Counter();
        final Counter offeredToOthers = new Counter();
        final Counter answered = new Counter();
        final Counter workMicros = new Counter();
    }

    private static final class ComponentCounters {
        final Counter invoked = new Counter();
        final Counter timedOut = new Counter();

        /** Measurable answers that lacked the component; {@code notAsked} counts measurable answers, too. */
        final Counter missing = new Counter();

        final Counter notAsked = new Counter();
    }

    /** A sum to which many threads add and from which one thread takes; no addition is lost. */
    private static final class Counter {
        private final LongAdder sum = new LongAdder();
        private long taken;

        void increment() {
            sum.increment();
        }

        void add(long amount) {
            sum.add(amount);
        }

        long take(long most) {
            long amount = Math.min(most, sum.sum() - taken);
            taken += amount;
            return amount;
        }

        /**
         * Takes the amount by which this sum exceeds the other one, at most {@code most}. If the other sum is greater,
         * the other sum keeps the difference.
         */
        long takeLess(Counter other, long most) {
            taken += other.take(sum.sum() - taken);
            return take(most);
        }
    }
}
