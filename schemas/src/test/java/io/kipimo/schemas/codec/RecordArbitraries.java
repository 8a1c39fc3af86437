package io.kipimo.schemas.codec;

import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.BurnRate;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.budget.ErrorBudgetBuilder;
import io.kipimo.schemas.budget.LossCause;
import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CacheLink;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CacheTruth;
import io.kipimo.schemas.caching.CacheUse;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.CachingWindowBuilder;
import io.kipimo.schemas.caching.FilterFill;
import io.kipimo.schemas.caching.InvalidatedKey;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.LinkTruth;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.ResultRecord;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.Subscription;
import io.kipimo.schemas.caching.SubscriptionBuilder;
import io.kipimo.schemas.caching.TtlEstimate;
import io.kipimo.schemas.caching.TtlEstimateBuilder;
import io.kipimo.schemas.caching.TtlQuantiles;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.completeness.CalibrationBin;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.completeness.ComponentLoss;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.deadline.ComponentEconomics;
import io.kipimo.schemas.deadline.ComponentEconomicsBuilder;
import io.kipimo.schemas.deadline.ComponentPoint;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlineCurveBuilder;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.deadline.FanOutCurve;
import io.kipimo.schemas.deadline.FanOutFloor;
import io.kipimo.schemas.decision.CostStep;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.decision.EpochClaim;
import io.kipimo.schemas.fanout.ContributionTable;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutPublicationBuilder;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.field.FieldBounds;
import io.kipimo.schemas.field.RecordField;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.CostCount;
import io.kipimo.schemas.observation.MissingCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ComponentCost;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
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
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentBuilder;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentCountsBuilder;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.ExperimentReportBuilder;
import io.kipimo.schemas.rating.ExperimentStep;
import io.kipimo.schemas.rating.ExperimentTermsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingBuilder;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.RatingTrialBuilder;
import io.kipimo.schemas.rating.ReportStage;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.rating.TrialPurpose;
import io.kipimo.schemas.rating.TrialVerdict;
import io.kipimo.schemas.replication.BrokenConstraint;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.ReplicationDecisionBuilder;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.replication.TrialEvidenceBuilder;
import io.kipimo.schemas.tails.Demand;
import io.kipimo.schemas.tails.DivergentQuery;
import io.kipimo.schemas.tails.LatencyStatistics;
import io.kipimo.schemas.tails.LatencyStatisticsBuilder;
import io.kipimo.schemas.tails.ProcessingCapacity;
import io.kipimo.schemas.tails.ReplicaTruth;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.ServerObservationBuilder;
import io.kipimo.schemas.tails.ServerTruth;
import io.kipimo.schemas.tails.ServiceLevel;
import io.kipimo.schemas.tails.Stay;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowBuilder;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.tails.TokenUse;
import io.kipimo.schemas.tails.TrafficCounts;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import io.kipimo.schemas.tails.Vantage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Random valid records of each type, generated from a seed. */
final class RecordArbitraries {
    private static final long LATEST_MILLIS = 7_258_118_400_000L;
    private static final int[] LETTERS = "abzAZ09-._:@ äß東😀".codePoints().toArray();

    private final Random random;

    RecordArbitraries(long seed) {
        this.random = new Random(seed);
    }

    /** A codec with a record of its type. */
    record Case<T>(Codec<T> codec, T record) {}

    static Arbitrary<Case<?>> cases() {
        return Arbitraries.of(Codecs.all()).flatMap(codec -> Arbitraries.longs().map(seed -> caseOf(codec, seed)));
    }

    /** Generates the record for a seed. */
    static Object of(Codec<?> codec, long seed) {
        return caseOf(codec, seed).record();
    }

    private static Case<?> caseOf(Codec<?> codec, long seed) {
        RecordArbitraries grow = new RecordArbitraries(seed);
        return switch (codec.name()) {
            case "AnswerProto" -> new Case<>(Codecs.ANSWER, grow.answer());
            case "PartialResultProto" -> new Case<>(Codecs.PARTIAL_RESULT, grow.partial());
            case "QueryEventProto" -> new Case<>(Codecs.QUERY_EVENT, grow.queryEvent());
            case "ObservationProto" -> new Case<>(Codecs.OBSERVATION, grow.observation());
            case "MeasurementProto" -> new Case<>(Codecs.MEASUREMENT, grow.measurement());
            case "QualityWindowProto" -> new Case<>(Codecs.QUALITY_WINDOW, grow.window());
            case "DecisionProto" -> new Case<>(Codecs.DECISION, grow.decision());
            case "EpochClaimProto" -> new Case<>(Codecs.EPOCH_CLAIM, grow.claim());
            case "PolicyProto" -> new Case<>(Codecs.POLICY, grow.policy());
            case "DeadLetterProto" -> new Case<>(Codecs.DEAD_LETTER, grow.deadLetter());
            case "DeadlineCurveProto" -> new Case<>(Codecs.DEADLINE_CURVE, grow.curve());
            case "ErrorBudgetProto" -> new Case<>(Codecs.ERROR_BUDGET, grow.budget());
            case "CompletenessModelProto" -> new Case<>(Codecs.COMPLETENESS_MODEL, grow.model());
            case "ReplicationDecisionProto" -> new Case<>(Codecs.REPLICATION_DECISION, grow.factors());
            case "ServerObservationProto" -> new Case<>(Codecs.SERVER_OBSERVATION, grow.serverObservation());
            case "TailWindowProto" -> new Case<>(Codecs.TAIL_WINDOW, grow.tailWindow());
            case "CacheReadProto" -> new Case<>(Codecs.CACHE_READ, grow.cacheRead());
            case "TtlEstimateProto" -> new Case<>(Codecs.TTL_ESTIMATE, grow.ttlEstimate());
            case "RecordWriteProto" -> new Case<>(Codecs.RECORD_WRITE, grow.recordWrite());
            case "SubscriptionProto" -> new Case<>(Codecs.SUBSCRIPTION, grow.subscription());
            case "InvalidationProto" -> new Case<>(Codecs.INVALIDATION, grow.invalidation());
            case "CachingWindowProto" -> new Case<>(Codecs.CACHING_WINDOW, grow.cachingWindow());
            case "CacheUseProto" -> new Case<>(Codecs.CACHE_USE, grow.cacheUse());
            case "ReplicaTruthProto" -> new Case<>(Codecs.REPLICA_TRUTH, grow.replicaTruth());
            case "CacheTruthProto" -> new Case<>(Codecs.CACHE_TRUTH, grow.cacheTruth());
            case "RatingProto" -> new Case<>(Codecs.RATING, grow.rating());
            case "ExperimentProto" -> new Case<>(Codecs.EXPERIMENT, grow.experiment());
            case "ExperimentReportProto" -> new Case<>(Codecs.EXPERIMENT_REPORT, grow.experimentReport());
            case "FanOutPublicationProto" -> new Case<>(Codecs.FAN_OUT_PUBLICATION, grow.fanOut());
            default -> throw new AssertionError("no arbitrary for " + codec.name());
        };
    }

    Answer answer() {
        long started = within(1, LATEST_MILLIS);
        List<Invocation> invocations = new ArrayList<>();
        for (int i = size(); i > 0; i--) {
            invocations.add(new Invocation(name() + i, constant(Outcome.values()), latency()));
        }
        return AnswerBuilder.builder()
                .service(name())
                .queryId(text())
                .queryClass(name())
                .kind(constant(AnswerKind.values()))
                .startedAtMillis(started)
                .answeredAtMillis(within(started, LATEST_MILLIS))
                .deadlineMillis((int) within(0, 864_000_000))
                .topK((int) within(0, 10_000))
                .invocations(invocations)
                .items(items())
                .truncated(random.nextBoolean())
                .unmeasurable(random.nextBoolean() ? Optional.empty() : Optional.of(constant(Unmeasurable.values())))
                .features(Features.of(random.longs(size()).toArray()))
                .notAskedLoss(random.nextBoolean() ? Optional.empty() : Optional.of(fraction()))
                .explored(random.nextBoolean())
                .variant(optionalName())
                .build();
    }

    PartialResult partial() {
        return PartialResultBuilder.builder()
                .service(name())
                .queryId(text())
                .component(name())
                .server(random.nextBoolean() ? "" : text())
                .phase(constant(Phase.values()))
                .completedAtMillis(within(1, LATEST_MILLIS))
                .latencyMicros(latency())
                .items(items())
                .truncated(random.nextBoolean())
                .startedAtMillis(random.nextBoolean() ? 0 : within(1, LATEST_MILLIS))
                .build();
    }

    private QueryEvent queryEvent() {
        int partition = (int) within(0, Integer.MAX_VALUE);
        return random.nextBoolean()
                ? new QueryEvent(answer(), null, partition, count())
                : new QueryEvent(null, partial(), partition, count());
    }

    private Items items() {
        float[] scores = new float[size()];
        long[] numbers = new long[scores.length];
        String[] texts = new String[scores.length];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = (float) random.nextGaussian();
            numbers[i] = random.nextLong();
            texts[i] = text() + '/';
        }
        if (scores.length == 0) {
            return Items.NONE;
        }
        return random.nextBoolean() ? Items.ofNumbers(numbers, scores) : Items.ofTexts(texts, scores);
    }

    private Observation observation() {
        List<ComponentCount> components = new ArrayList<>();
        for (int i = size(); i > 0; i--) {
            long invoked = count();
            components.add(new ComponentCount(name(), invoked, within(0, invoked)));
        }
        long offered = count();
        long answered = count();
        long timedOut = within(0, answered);
        long notAsked = within(0, answered);
        return ObservationBuilder.builder()
                .service(name())
                .tier(name())
                .server(name())
                .queryClass(name())
                .secondMillis(within(1, LATEST_MILLIS))
                .offered(offered)
                .rejected(within(0, offered))
                .answered(answered)
                .timedOut(timedOut)
                .components(components)
                .bill(bill())
                .admittedFraction(fraction())
                .unmeasurable(unmeasurable(answered))
                .missing(missing(timedOut))
                .costs(costs(offered, answered))
                .notAsked(notAsked)
                .notAskedLossSum((double) notAsked * fraction())
                .notAskedComponents(missing(notAsked))
                .variant(optionalName())
                .safeFraction(random.nextBoolean() ? Optional.of(fraction()) : Optional.empty())
                .build();
    }

    private List<CostCount> costs(long offered, long answered) {
        Map<Integer, CostCount> costs = new TreeMap<>();
        for (int i = size(); i > 0; i--) {
            int bin = (int) within(CostCount.LEAST_BIN, CostCount.GREATEST_BIN);
            costs.put(bin, new CostCount(bin, within(0, offered), within(0, answered), count()));
        }
        return List.copyOf(costs.values());
    }

    private List<MissingCount> missing(long timedOut) {
        Map<String, Long> missing = new TreeMap<>();
        for (int i = size(); i > 0; i--) {
            missing.put(name(), within(0, timedOut));
        }
        return missing.entrySet().stream()
                .map(m -> new MissingCount(m.getKey(), m.getValue()))
                .toList();
    }

    private Map<Unmeasurable, Long> unmeasurable(long answered) {
        Map<Unmeasurable, Long> counts = new EnumMap<>(Unmeasurable.class);
        long left = answered;
        for (int i = size(); i > 0; i--) {
            long answers = within(0, left);
            if (counts.putIfAbsent(constant(Unmeasurable.values()), answers) == null) {
                left -= answers;
            }
        }
        return counts;
    }

    private MeasurementBill bill() {
        return new MeasurementBill(count(), count(), count(), count(), count());
    }

    private Measurement measurement() {
        Measurement any = any(Measurement.class);
        return any.toBuilder()
                .queryClass(any.completeness() == Completeness.ORPHAN ? "" : name())
                .unmeasurable(
                        any.completeness() == Completeness.NOT_MEASURABLE
                                ? Optional.of(constant(Unmeasurable.values()))
                                : Optional.empty())
                .variant(optionalName())
                .build();
    }

    private QualityWindow window() {
        long start = within(1, LATEST_MILLIS);
        List<ComponentAttribution> components = new ArrayList<>();
        for (int i = size(); i > 0; i--) {
            components.add(new ComponentAttribution(name(), count(), count(), random.nextGaussian(), count()));
        }
        long answered = count();
        return QualityWindow.builder()
                .service(name())
                .queryClass(name())
                .metric(name())
                .kind(constant(WindowKind.values()))
                .startMillis(start)
                .endMillis(within(start, LATEST_MILLIS))
                .offered(count())
                .rejected(count())
                .answered(answered)
                .timedOut(count())
                .samples(sample())
                .degradedSamples(sample())
                .expired(sample())
                .orphans(sample())
                .estimate(estimate())
                .averaged(estimate())
                .averagedSamples(sample())
                .plainMean(fraction())
                .standardDeviation(fraction())
                .p5(fraction())
                .p50(fraction())
                .minimum(fraction())
                .belowObjective(fraction())
                .objective(fraction())
                .components(components)
                .failedMature(fraction())
                .maturePer100Queries(1000 * fraction())
                .lossPerTimeOut(random.nextBoolean() ? Optional.empty() : Optional.of(fraction()))
                .bill(bill())
                .unmeasurable(unmeasurable(answered))
                .unmeasurableSamples(sample())
                .estimator(random.nextBoolean() ? Optional.empty() : Optional.of(constant(Estimator.values())))
                .costDeciles(costDeciles())
                .notAsked(count())
                .deliberateLoss(fraction())
                .variant(optionalName())
                .represented(count())
                .build();
    }

    private List<CostDecile> costDeciles() {
        List<CostDecile> deciles = new ArrayList<>();
        for (int i = size(); i > 0; i--) {
            deciles.add(new CostDecile(deciles.size() + 0.5 + 0.4 * fraction(), count(), count(), 1e6 * fraction()));
        }
        return deciles;
    }

    private List<CostStep> costOrder() {
        List<CostStep> steps = new ArrayList<>();
        for (int i = size(); i > 0; i--) {
            steps.add(new CostStep(steps.size() + 0.5 + 0.4 * fraction(), fraction()));
        }
        return steps;
    }

    private Optional<Estimate> estimate() {
        double high = fraction();
        double mean = high * fraction();
        return random.nextBoolean() ? Optional.empty() : Optional.of(new Estimate(mean * fraction(), mean, high));
    }

    private Decision decision() {
        long issuedAt = within(1, LATEST_MILLIS);
        return DecisionBuilder.builder()
                .controller(name())
                .scope(text())
                .epoch(count())
                .sequence(count())
                .issuedAtMillis(issuedAt)
                .asOfMillis(count())
                .validUntilMillis(within(issuedAt, Long.MAX_VALUE))
                .value(fraction())
                .previous(fraction())
                .samples(sample())
                .mode(constant(DecisionMode.values()))
                .reason(text())
                .configVersion(count())
                .measured(fraction())
                .low(fraction())
                .high(fraction())
                .objective(fraction())
                .costOrder(costOrder())
                .build();
    }

    private EpochClaim claim() {
        return new EpochClaim(name(), text(), within(1, LATEST_MILLIS));
    }

    private Policy policy() {
        Map<String, Double> weights = new HashMap<>();
        List<String> metrics = new ArrayList<>(List.of("tpr@20"));
        List<ClassPolicy> classes = new ArrayList<>();
        for (int i = size(); i >= 0; i--) {
            weights.put(name(), 1e-9 + fraction());
            metrics.add(name() + i);
            classes.add(any(ClassPolicy.class).toBuilder().name(name() + i).build());
        }
        long slide = within(100, 80_000);
        return any(Policy.class).toBuilder()
                .metrics(metrics)
                .merge(new MergePolicy(constant(MergeKind.values()), List.of(name(), name()), weights))
                .windowMillis(slide * within(1, 1000))
                .slideMillis(slide)
                .classes(classes)
                .replication(random.nextBoolean() ? Optional.empty() : Optional.of(replication()))
                .fanOut(random.nextBoolean() ? Optional.empty() : Optional.of(fanOut(classes)))
                .build();
    }

    /** Classes of the policy, and other components. */
    private FanOutPolicy fanOut(List<ClassPolicy> classes) {
        List<ComponentCost> costs = new ArrayList<>();
        for (int i = size(); i > 0; i--) {
            costs.add(new ComponentCost(name() + i, 1e-9 + fraction()));
        }
        return any(FanOutPolicy.class).toBuilder()
                .classes(classes.stream().map(ClassPolicy::name).toList())
                .costs(costs)
                .build();
    }

    private FanOutPublication fanOut() {
        FanOutState state = constant(FanOutState.values());
        long learnedAt = within(1, LATEST_MILLIS);
        return FanOutPublicationBuilder.builder()
                .service(name())
                .queryClass(name())
                .version(count())
                .learnedAtMillis(learnedAt)
                .validUntilMillis(within(learnedAt, LATEST_MILLIS))
                .state(state)
                .reason(text())
                .floor(fraction())
                .price(fraction())
                .exploration(fraction())
                .queries(count())
                .saving(fraction())
                .quality(fraction())
                .model(state == FanOutState.OFF ? Optional.empty() : Optional.of(table()))
                .build();
    }

    private ContributionTable table() {
        List<String> components = new ArrayList<>();
        for (int i = size(); i >= 0; i--) {
            components.add(name() + i);
        }
        int rowBits = (int) within(0, 5);
        byte[] table = new byte[components.size() << rowBits];
        random.nextBytes(table);
        int n = components.size();
        return new ContributionTable(
                components,
                random.doubles(n, 0.1, 1e6).toArray(),
                random.doubles(n, -8, 8).toArray(),
                rowBits,
                fraction(),
                table,
                random.doubles(10, 0, 1e6).toArray(),
                random.doubles(10, 0, 1e6).toArray(),
                random.doubles(10, 0, 1e6).toArray());
    }

    private ReplicationPolicy replication() {
        List<ReplicatedTier> tiers = new ArrayList<>();
        List<Integer> factors = new ArrayList<>();
        for (int i = size(); i >= 0; i--) {
            ReplicatedTier any = any(ReplicatedTier.class);
            tiers.add(new ReplicatedTier(name() + i, any.servers(), any.cores(), any.maximumFactor()));
            factors.add((int) within(1, 10_000));
        }
        return any(ReplicationPolicy.class).toBuilder()
                .tiers(tiers)
                .override(
                        random.nextBoolean()
                                ? Optional.empty()
                                : Optional.of(new FactorOverride(factors, count(), text(), text())))
                .build();
    }

    /** A random record with each field within its range. */
    private <T extends Record> T any(Class<T> type) {
        RecordFields<T> fields = RecordFields.of(type);
        Object[] values = new Object[fields.all().size()];
        for (int i : fields.order()) {
            values[i] = any(fields.all().get(i), fields.bounds(i, values));
        }
        return fields.create(values);
    }

    private Object any(RecordField field, FieldBounds bounds) {
        if (field.isList()) {
            return Stream.generate(() -> one(field, bounds)).limit(size()).toList();
        }
        if (field.isOptional()) {
            return random.nextBoolean() ? Optional.empty() : Optional.of(one(field, bounds));
        }
        return one(field, bounds);
    }

    private Object one(RecordField field, FieldBounds bounds) {
        Class<?> type = field.element();
        if (type == MergePolicy.class) {
            return MergePolicy.TOP_K;
        }
        if (field.isRecord()) {
            return any(type.asSubclass(Record.class));
        }
        if (type.isEnum()) {
            return constant(type.getEnumConstants());
        }
        if (type == String.class) {
            if (field.mayBeEmpty() && random.nextBoolean()) {
                return "";
            }
            return field.text() == RecordField.TextKind.NAME ? name() : text();
        }
        if (field.isWhole()) {
            long value = within((long) bounds.least(), (long) bounds.most());
            return type == int.class || type == Integer.class ? (Object) (int) value : value;
        }
        return field.isNumber()
                ? Math.min(bounds.most(), bounds.least() + (bounds.most() - bounds.least()) * fraction())
                : (Object) random.nextBoolean();
    }

    private ReplicationDecision factors() {
        long issuedAt = within(1, LATEST_MILLIS);
        List<TierFactor> tiers = new ArrayList<>();
        List<Integer> from = new ArrayList<>();
        List<BrokenConstraint> broken = new ArrayList<>();
        for (int i = size(); i >= 0; i--) {
            int factor = (int) within(1, 10_000);
            tiers.add(new TierFactor(
                    name() + i,
                    factor,
                    (int) within(1, 10_000),
                    (int) within(1, 10_000),
                    random.nextBoolean(),
                    random.nextBoolean()));
            from.add(factor);
            broken.add(new BrokenConstraint(text(), name(), sample(), fraction()));
        }
        double low = -latency() * fraction();
        return ReplicationDecisionBuilder.builder()
                .service(name())
                .epoch(count())
                .sequence(count())
                .issuedAtMillis(issuedAt)
                .asOfMillis(count())
                .validUntilMillis(within(issuedAt, Long.MAX_VALUE))
                .tiers(tiers)
                .mode(constant(DecisionMode.values()))
                .reason(text())
                .inTrial(random.nextBoolean())
                .requests(count())
                .measuredMicros((double) latency())
                .objectiveMicros(latency())
                .evidence(
                        random.nextBoolean()
                                ? Optional.empty()
                                : Optional.of(TrialEvidenceBuilder.builder()
                                        .from(from)
                                        .to(from)
                                        .baselineRequests(count())
                                        .trialRequests(count())
                                        .baselineMicros((double) latency())
                                        .trialMicros((double) latency())
                                        .changeMicros(low / 2)
                                        .lowMicros(low)
                                        .predictedMicros(random.nextBoolean() ? Optional.empty() : Optional.of(low))
                                        .build()))
                .broken(broken)
                .configVersion(count())
                .build();
    }

    private DeadLetter deadLetter() {
        byte[] payload = new byte[size() * 11];
        random.nextBytes(payload);
        return new DeadLetter(
                text(),
                sample(),
                count(),
                constant(RejectionReason.values()),
                random.nextBoolean() ? "" : text(),
                text().getBytes(StandardCharsets.UTF_8),
                payload,
                within(1, LATEST_MILLIS));
    }

    private DeadlineCurve curve() {
        long start = within(1, LATEST_MILLIS);
        int profiles = sample();
        List<DeadlinePoint> points = new ArrayList<>();
        List<ComponentEconomics> components = new ArrayList<>();
        for (double deadline : ascending(864_000_000)) {
            double high = fraction();
            double mean = high * fraction();
            points.add(new DeadlinePoint(deadline, new Estimate(mean * fraction(), mean, high), fraction()));
            int invoked = sample();
            components.add(ComponentEconomicsBuilder.builder()
                    .component(name())
                    .invoked(invoked)
                    .late((int) within(0, invoked))
                    .lostQuality(2 * fraction() - 1)
                    .lostQualityPerLateMinute(random.nextGaussian())
                    .qualityIfFaster(fraction())
                    .qualityIfReplicated(fraction())
                    .qualityIfDropped(fraction())
                    .points(ascending(864_000_000).stream()
                            .map(d -> new ComponentPoint(d, fraction(), fraction()))
                            .toList())
                    .build());
        }
        return DeadlineCurveBuilder.builder()
                .service(name())
                .queryClass(name())
                .metric(name())
                .startMillis(start)
                .endMillis(within(start, LATEST_MILLIS))
                .deadlineMillis(864_000_000 * fraction())
                .profiles(profiles)
                .degradedProfiles((int) within(0, profiles))
                .points(points)
                .components(components)
                .fanOut(new FanOutCurve(count(), random.nextBoolean(), floors(), floors()))
                .build();
    }

    private List<FanOutFloor> floors() {
        List<FanOutFloor> floors = new ArrayList<>();
        for (int i = size(); i > 0; i--) {
            double high = fraction();
            double mean = high * fraction();
            floors.add(
                    new FanOutFloor(fraction(), fraction(), new Estimate(mean * fraction(), mean, high), fraction()));
        }
        return floors;
    }

    private ErrorBudget budget() {
        long period = within(1, 3650L * 86_400_000);
        List<LossCause> causes = new ArrayList<>();
        for (int i = size(); i > 0; i--) {
            causes.add(new LossCause(name(), fraction()));
        }
        return ErrorBudgetBuilder.builder()
                .service(name())
                .queryClass(name())
                .metric(name())
                .endMillis(within(1, LATEST_MILLIS))
                .objective(fraction())
                .shortWindow(burn())
                .longWindow(burn())
                .remaining(1 - 1e6 * fraction())
                .periodMillis(period)
                .coveredMillis(within(0, period))
                .verdict(constant(BudgetVerdict.values()))
                .causes(causes)
                .build();
    }

    private BurnRate burn() {
        double high = 1e9 * fraction();
        double rate = high * fraction();
        return new BurnRate(within(1, 3650L * 86_400_000), rate * fraction(), rate, high, count(), sample());
    }

    private CompletenessModel model() {
        List<ComponentLoss> losses = new ArrayList<>();
        for (int i = size(); i > 0; i--) {
            losses.add(new ComponentLoss(name(), fraction(), count()));
        }
        List<CalibrationBin> calibration = new ArrayList<>();
        double from = 0;
        for (double to : ascending(1)) {
            calibration.add(new CalibrationBin(from, to, count(), fraction(), fraction()));
            from = to;
        }
        return new CompletenessModel(
                name(), name(), name(), within(1, LATEST_MILLIS), count(), fraction(), losses, calibration);
    }

    private ServerObservation serverObservation() {
        List<Stay> stays = new ArrayList<>();
        for (int i = size(); i > 0; i--) {
            long arrival = within(1, LATEST_MILLIS * 1000);
            stays.add(new Stay(arrival, arrival + latency()));
        }
        return ServerObservationBuilder.builder()
                .service(name())
                .tier(name())
                .component(name())
                .server(name())
                .vantage(constant(Vantage.values()))
                .secondMillis(within(1, LATEST_MILLIS))
                .counts(traffic(1_000_000_000_000L, within(1, 60_000_000)))
                .latencies(bytes())
                .stays(stays)
                .build();
    }

    private TrafficCounts traffic(long most, long observedMicros) {
        long inService = within(0, most);
        long cores = within(0, most);
        return TrafficCountsBuilder.builder()
                .arrivals(within(0, most))
                .completions(within(0, most))
                .timedOut(within(0, most))
                .failed(within(0, most))
                .connections(within(0, most))
                .inServiceMicros(inService)
                .busyCoreMicros(within(0, Math.min(inService, cores)))
                .coreMicros(cores)
                .tokensReturned(within(0, most))
                .tokenHeldMicros(within(0, most))
                .tokenMicros(within(0, most))
                .observedMicros(observedMicros)
                .build();
    }

    private byte[] bytes() {
        byte[] bytes = new byte[size()];
        random.nextBytes(bytes);
        return bytes;
    }

    private TailWindow tailWindow() {
        TailLevel level = constant(TailLevel.values());
        boolean inComponent = level == TailLevel.COMPONENT || level == TailLevel.SERVER;
        long start = within(1, LATEST_MILLIS);
        return TailWindowBuilder.builder()
                .level(level)
                .kind(constant(TailWindowKind.values()))
                .service(name())
                .tier(level == TailLevel.SERVICE ? "" : name())
                .component(inComponent ? name() : "")
                .server(level == TailLevel.SERVER ? name() : "")
                .startMillis(start)
                .endMillis(within(start, LATEST_MILLIS) + 1)
                .servers(sample())
                .counts(traffic(TrafficCounts.MOST, within(0, TrafficCounts.MOST)))
                .requestsPerSecond(figure())
                .connectionsPerSecond(figure())
                .requestsPerConnection(maybe(figure()))
                .concurrency(figure())
                .utilisation(maybe(fraction()))
                .timedOutShare(fraction())
                .failedShare(fraction())
                .latency(maybe(latencyStatistics()))
                .demand(maybe(new Demand(1 + count(), figure(), figure())))
                .capacity(maybe(new ProcessingCapacity(figure(), figure(), figure())))
                .tokens(maybe(new TokenUse(figure(), figure(), figure(), figure(), 1 + sample() / 2)))
                .latencies(bytes())
                .build();
    }

    private LatencyStatistics latencyStatistics() {
        double[] quantiles = random.doubles(6, 0, 1e9).sorted().toArray();
        long maximum = (long) quantiles[5] + 1;
        List<ServiceLevel> levels = new ArrayList<>();
        for (double objective : ascending(1e9)) {
            levels.add(new ServiceLevel((long) objective, fraction()));
        }
        return LatencyStatisticsBuilder.builder()
                .count(1 + count())
                .p50Micros(quantiles[0])
                .p90Micros(quantiles[1])
                .p95Micros(quantiles[2])
                .p99Micros(quantiles[3])
                .p999Micros(quantiles[4])
                .meanMicros(maximum * fraction())
                .maximumMicros(maximum)
                .coefficientOfVariation(figure())
                .quartileDispersion(fraction())
                .p95OverMean(figure())
                .p99OverMean(figure())
                .serviceLevels(levels)
                .build();
    }

    private CacheRead cacheRead() {
        CachedKind kind = constant(CachedKind.values());
        List<String> records = new ArrayList<>();
        for (int i = kind == CachedKind.QUERY ? size() : 0; i > 0; i--) {
            records.add(text());
        }
        return new CacheRead(name(), name(), text(), kind, within(1, LATEST_MILLIS), ttl(), records);
    }

    private TtlEstimate ttlEstimate() {
        return TtlEstimateBuilder.builder()
                .service(name())
                .table(name())
                .key(text())
                .kind(constant(CachedKind.values()))
                .ttlMillis(ttl())
                .meanMillis(maybe(figure()))
                .isLearnt(random.nextBoolean())
                .lossPerChange(fraction())
                .invalidations(count())
                .estimatedMillis(within(1, LATEST_MILLIS))
                .representation(constant(ResultRepresentation.values()))
                .hitsSavedPerSecond(figure())
                .build();
    }

    private RecordWrite recordWrite() {
        WriteKind kind = constant(WriteKind.values());
        return new RecordWrite(
                name(),
                name(),
                text(),
                kind,
                version(),
                within(1, LATEST_MILLIS),
                kind == WriteKind.DELETE ? "" : text());
    }

    private Subscription subscription() {
        List<ResultRecord> result = new ArrayList<>();
        for (int i = size(); i > 0; i--) {
            result.add(new ResultRecord(text(), version(), random.nextBoolean() ? "" : text()));
        }
        long evaluated = within(1, LATEST_MILLIS);
        return SubscriptionBuilder.builder()
                .service(name())
                .table(name())
                .key(text())
                .filter(text())
                .sort(random.nextBoolean() ? "" : text())
                .limit(sample())
                .offset(sample())
                .representation(constant(ResultRepresentation.values()))
                .evaluatedMillis(evaluated)
                .result(result)
                .registeredMillis(within(evaluated, LATEST_MILLIS))
                .build();
    }

    private Invalidation invalidation() {
        ResultChange change = constant(ResultChange.values());
        InvalidationMode mode = constant(InvalidationMode.values());
        boolean isMark = change == ResultChange.NONE;
        boolean isOfNoRecord = isMark || (change.mayLackRecord() && random.nextBoolean());
        return InvalidationBuilder.builder()
                .service(isMark ? "" : name())
                .table(isMark ? "" : name())
                .key(isMark ? "" : text())
                .kind(constant(CachedKind.values()))
                .change(change)
                .record(isOfNoRecord ? "" : text())
                .version(version())
                .writtenMillis(within(1, LATEST_MILLIS))
                .mode(mode)
                .serveStaleMillis(mode == InvalidationMode.SOFT ? within(1, CacheRead.LONGEST_TTL_MILLIS) : 0)
                .partition(sample())
                .sequence(count())
                .completeBeforeMillis(within(0, LATEST_MILLIS))
                .retryAfterMillis(change == ResultChange.REFUSED ? within(1, Invalidation.LONGEST_RETRY_MILLIS) : 0)
                .build();
    }

    private CachingWindow cachingWindow() {
        long start = within(1, LATEST_MILLIS);
        double[] quantiles = random.doubles(4, 0, 1e9).sorted().toArray();
        List<InvalidatedKey> most = new ArrayList<>();
        for (int i = size(); i > 0; i--) {
            most.add(new InvalidatedKey(text(), count()));
        }
        return CachingWindowBuilder.builder()
                .service(name())
                .table(name())
                .startMillis(start)
                .endMillis(within(start, LATEST_MILLIS) + 1)
                .originReads(count())
                .writes(count())
                .invalidations(count())
                .handedOut(maybe(new TtlQuantiles(
                        within(1, CacheCounts.MOST), quantiles[0], quantiles[1], quantiles[2], quantiles[3])))
                .mostInvalidated(most)
                .filter(maybe(new FilterFill(count(), count(), sample(), fraction(), fraction())))
                .use(maybe(cacheCounts()))
                .build();
    }

    private CacheUse cacheUse() {
        return new CacheUse(name(), name(), text(), within(1, LATEST_MILLIS), cacheCounts());
    }

    private ReplicaTruth replicaTruth() {
        long start = within(1, LATEST_MILLIS);
        List<ServerTruth> servers = new ArrayList<>();
        List<DivergentQuery> queries = new ArrayList<>();
        for (int i = Math.min(size(), ReplicaTruth.MOST_QUERIES); i > 0; i--) {
            long compared = count();
            servers.add(new ServerTruth(name(), compared, within(0, compared), within(0, compared)));
            queries.add(new DivergentQuery(
                    name(),
                    within(1, LATEST_MILLIS),
                    name(),
                    name(),
                    count() % 2 == 0,
                    (int) within(0, Integer.MAX_VALUE),
                    List.of(text())));
        }
        return new ReplicaTruth(
                name(),
                name(),
                name(),
                start,
                within(start, LATEST_MILLIS),
                count(),
                count(),
                count(),
                count(),
                count(),
                servers,
                queries);
    }

    private CacheTruth cacheTruth() {
        long start = within(1, LATEST_MILLIS);
        List<LinkTruth> links = new ArrayList<>();
        for (int i = Math.min(size(), CacheTruth.MOST_LINKS); i > 0; i--) {
            long stale = count();
            links.add(new LinkTruth(
                    constant(CacheLink.values()),
                    within(1, CacheRead.LONGEST_TTL_MILLIS),
                    count(),
                    stale,
                    count(),
                    within(0, stale),
                    within(0, LATEST_MILLIS)));
        }
        return new CacheTruth(name(), name(), name(), start, within(start, LATEST_MILLIS), links);
    }

    private CacheCounts cacheCounts() {
        long reads = within(0, CacheCounts.MOST);
        long clientHits = within(0, reads);
        long revalidations = within(0, reads);
        return new CacheCounts(
                reads,
                clientHits,
                within(0, reads - clientHits),
                revalidations,
                within(0, revalidations),
                within(0, reads));
    }

    private long ttl() {
        return within(0, CacheRead.LONGEST_TTL_MILLIS);
    }

    private long version() {
        return within(0, RecordWrite.LARGEST_VERSION);
    }

    private double figure() {
        return 1e18 * fraction();
    }

    private <T> Optional<T> maybe(T value) {
        return random.nextBoolean() ? Optional.of(value) : Optional.empty();
    }

    private List<Double> ascending(double most) {
        return random.doubles(size(), 0, most).sorted().boxed().toList();
    }

    private RatingRequest ratingRequest() {
        return new RatingRequest(
                name(),
                random.nextBoolean() ? "" : name(),
                text(),
                new AgreementTerms(
                        fraction(),
                        within(1, 864_000_000_000L),
                        fraction(),
                        fraction(),
                        fraction(),
                        within(1, 864_000_000)),
                new SearchTerms(
                        constant(RatingTechnique.values()),
                        (int) within(2, 1_000),
                        fraction(),
                        1e-6 + 0.09 * fraction(),
                        within(1, 1L << 40),
                        (int) within(1, 10_000)),
                ExperimentTermsBuilder.builder()
                        .model(constant(LoadModel.values()))
                        .unit(1e-6 + 1e9 * fraction())
                        .thinkMillis(within(0, 864_000_000))
                        .warmUpMillis(within(0, 864_000_000))
                        .millis(within(1, 864_000_000))
                        .noiseReadings((int) within(0, 100))
                        .earlyStopError(fraction() / 10)
                        .generators((int) within(1, 1_000))
                        .patienceMillis(within(1, 864_000_000))
                        .seed(random.nextLong())
                        .build(),
                within(1, LATEST_MILLIS));
    }

    private ExperimentCounts experimentCounts() {
        long requests = count();
        long inTime = within(0, requests);
        long reads = count();
        long scored = count();
        return ExperimentCountsBuilder.builder()
                .requests(requests)
                .within(inTime)
                .errors(within(0, requests))
                .reads(reads)
                .unpredictable(within(0, reads))
                .scored(scored)
                .qualitySum(scored * fraction())
                .answered(count())
                .withinFromSending(within(inTime, requests))
                .build();
    }

    private RatingTrial trial() {
        return RatingTrialBuilder.builder()
                .number((int) within(1, 20_000))
                .load(within(1, 1L << 40))
                .purpose(constant(TrialPurpose.values()))
                .startedAtMillis(within(1, LATEST_MILLIS))
                .measuredMillis(within(0, 864_000_000))
                .prepareMillis(within(0, 864_000_000))
                .verdict(constant(TrialVerdict.values()))
                .throughput(1e15 * fraction())
                .counts(experimentCounts())
                .meanMicros(1e9 * fraction())
                .p50Micros(latency())
                .p95Micros(latency())
                .p99Micros(latency())
                .remark(random.nextBoolean() ? "" : text())
                .build();
    }

    private Rating rating() {
        List<RatingTrial> trials = new ArrayList<>();
        for (int i = size(); i > 0; i--) {
            trials.add(trial());
        }
        return RatingBuilder.builder()
                .request(ratingRequest())
                .state(constant(RatingState.values()))
                .trials(trials)
                .load(within(0, 1L << 40))
                .throughput(1e15 * fraction())
                .noise(fraction())
                .elapsedMillis(count())
                .predictedMillis(count())
                .remark(random.nextBoolean() ? "" : text())
                .updatedAtMillis(within(1, LATEST_MILLIS))
                .build();
    }

    private Experiment experiment() {
        List<String> generators = new ArrayList<>();
        for (int i = size(); i > 0; i--) {
            generators.add(name() + i);
        }
        return ExperimentBuilder.builder()
                .ratingId(name())
                .number((int) within(1, 20_000))
                .step(constant(ExperimentStep.values()))
                .target(text())
                .generators(generators)
                .model(constant(LoadModel.values()))
                .amount(1e15 * fraction())
                .thinkMillis(within(0, 864_000_000))
                .warmUpMillis(within(0, 864_000_000))
                .millis(within(1, 864_000_000))
                .boundMicros(within(1, 864_000_000_000L))
                .seed(random.nextLong())
                .issuedAtMillis(within(1, LATEST_MILLIS))
                .previous(experimentCounts())
                .build();
    }

    private ExperimentReport experimentReport() {
        byte[] latencies = new byte[size()];
        random.nextBytes(latencies);
        return ExperimentReportBuilder.builder()
                .ratingId(name())
                .number((int) within(1, 20_000))
                .generator(name())
                .stage(constant(ReportStage.values()))
                .atMillis(within(1, LATEST_MILLIS))
                .counts(experimentCounts())
                .measuredMillis(within(0, 864_000_000))
                .prepareMillis(within(0, 864_000_000))
                .latencies(latencies)
                .lagMicros(latency())
                .ownCpu(fraction())
                .remark(random.nextBoolean() ? "" : text())
                .seed(random.nextLong())
                .build();
    }

    private int size() {
        return random.nextInt(6);
    }

    private String optionalName() {
        return random.nextBoolean() ? "" : name();
    }

    private String name() {
        StringBuilder name = new StringBuilder();
        for (int i = 1 + random.nextInt(12); i > 0; i--) {
            name.appendCodePoint(LETTERS[random.nextInt(LETTERS.length)]);
        }
        return name.toString();
    }

    private String text() {
        return random.nextBoolean() ? name() : name() + '/' + name();
    }

    private double fraction() {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> 1;
            default -> random.nextDouble();
        };
    }

    private long latency() {
        return within(0, 864_000_000_000L);
    }

    private long count() {
        return within(0, 1L << 53);
    }

    private int sample() {
        return (int) within(0, Integer.MAX_VALUE);
    }

    /** A number in the closed range; the bounds are more frequent than by chance. */
    private long within(long least, long most) {
        return switch (random.nextInt(8)) {
            case 0 -> least;
            case 1 -> most;
            default -> least == most ? least : random.nextLong(least, most);
        };
    }

    private <E> E constant(E[] constants) {
        return constants[random.nextInt(constants.length)];
    }
}
