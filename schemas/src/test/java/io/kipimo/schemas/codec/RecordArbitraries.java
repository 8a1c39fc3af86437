package io.kipimo.schemas.codec;

import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.completeness.CalibrationBin;
import io.kipimo.schemas.fanout.ContributionTable;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.field.FieldBounds;
import io.kipimo.schemas.field.RecordField;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.observation.CostCount;
import io.kipimo.schemas.observation.MissingCount;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.replication.TrialEvidence;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TrafficCounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/**
 * Random valid records of each type, generated from a seed. They are derived from the annotations of the records; only
 * what {@link RecordChecks} asks of fields together is said here.
 */
final class RecordArbitraries {
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

    private static <T> Case<T> caseOf(Codec<T> codec, long seed) {
        return new Case<>(codec, codec.type().cast(of(codec, seed)));
    }

    /** Generates the record for a seed. */
    static Object of(Codec<?> codec, long seed) {
        return new RecordArbitraries(seed).any(codec.type().asSubclass(Record.class));
    }

    /** A random record with each field within its range. */
    <T extends Record> T any(Class<T> type) {
        return any(type, fixed(type));
    }

    private <T extends Record> T any(Class<T> type, Map<String, ?> fixed) {
        RecordFields<T> fields = RecordFields.of(type);
        Object[] values = new Object[fields.all().size()];
        for (int i : fields.order()) {
            RecordField field = fields.all().get(i);
            values[i] = fixed.containsKey(field.component())
                    ? fixed.get(field.component())
                    : any(field, fields.bounds(i, values));
        }
        return fields.create(values);
    }

    /** Values by component that depend on each other in ways that annotations do not say. */
    private Map<String, ?> fixed(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "QueryEvent" -> {
                boolean isAnswer = random.nextBoolean();
                Map<String, Object> either = new HashMap<>();
                either.put("answer", isAnswer ? any(Answer.class) : null);
                either.put("partial", isAnswer ? null : any(PartialResult.class));
                yield either;
            }
            case "Answer" -> {
                long started = millis();
                yield Map.of("startedAtMillis", started, "answeredAtMillis", within(started, Checks.LATEST_MILLIS));
            }
            case "Observation" -> observation();
            case "Measurement" -> {
                Completeness completeness = constant(Completeness.values());
                yield Map.of(
                        "completeness",
                        completeness,
                        "queryClass",
                        completeness == Completeness.ORPHAN ? "" : name(),
                        "unmeasurable",
                        completeness == Completeness.NOT_MEASURABLE
                                ? Optional.of(constant(Unmeasurable.values()))
                                : Optional.empty());
            }
            case "QualityWindow" -> {
                long answered = count();
                yield Map.of("answered", answered, "unmeasurable", unmeasurable(answered));
            }
            case "MergePolicy" -> Map.of("preference", List.of(name(), name()));
            case "Policy" -> {
                long slide = within(100, 80_000);
                List<ClassPolicy> classes = some(ClassPolicy.class, Map::of);
                List<String> names = classes.stream().map(ClassPolicy::name).toList();
                yield Map.of(
                        "slideMillis",
                        slide,
                        "windowMillis",
                        slide * within(1, 1000),
                        "classes",
                        classes,
                        "fanOut",
                        maybe(any(FanOutPolicy.class, Map.of("classes", names))));
            }
            case "ReplicationPolicy" -> {
                List<ReplicatedTier> tiers = some(ReplicatedTier.class, Map::of);
                yield Map.of(
                        "tiers",
                        tiers,
                        "override",
                        maybe(any(FactorOverride.class, Map.of("factors", factors(tiers.size())))));
            }
            case "FanOutPublication" -> {
                FanOutState state = constant(FanOutState.values());
                yield Map.of(
                        "state",
                        state,
                        "model",
                        state == FanOutState.OFF ? Optional.empty() : Optional.of(any(ContributionTable.class)));
            }
            case "ContributionTable" -> {
                List<String> components =
                        Stream.generate(this::name).limit(1 + size()).distinct().toList();
                int rowBits = (int) within(0, 5);
                yield Map.of(
                        "components",
                        components,
                        "rowBits",
                        rowBits,
                        "table",
                        bytes(components.size() << rowBits),
                        "costs",
                        random.doubles(components.size(), 0.1, 1e6).toArray(),
                        "bias",
                        random.doubles(components.size(), -8, 8).toArray());
            }
            case "ReplicationDecision" -> {
                List<TierFactor> tiers = some(TierFactor.class, Map::of);
                int n = tiers.size();
                yield Map.of(
                        "tiers",
                        tiers,
                        "evidence",
                        maybe(any(TrialEvidence.class, Map.of("from", factors(n), "to", factors(n)))));
            }
            case "CompletenessModel" -> Map.of("calibration", calibration());
            case "ServerObservation" -> Map.of("counts", second());
            case "TailWindow" -> {
                TailLevel level = constant(TailLevel.values());
                Map<String, Object> window = end();
                window.put("level", level);
                window.put("tier", level == TailLevel.SERVICE ? "" : name());
                boolean hasComponent = level == TailLevel.COMPONENT || level == TailLevel.SERVER;
                window.put("component", hasComponent ? name() : "");
                window.put("server", level == TailLevel.SERVER ? name() : "");
                yield window;
            }
            case "CachingWindow" -> end();
            case "CacheRead" -> {
                CachedKind kind = constant(CachedKind.values());
                List<String> records = kind == CachedKind.RECORD
                        ? List.of()
                        : Stream.generate(this::text).limit(size()).toList();
                yield Map.of("kind", kind, "recordKeys", records);
            }
            case "RecordWrite" -> {
                WriteKind kind = constant(WriteKind.values());
                yield Map.of("kind", kind, "document", kind == WriteKind.DELETE ? "" : text());
            }
            case "Subscription" -> {
                long evaluated = millis();
                yield Map.of(
                        "filter",
                        text(),
                        "evaluatedMillis",
                        evaluated,
                        "registeredMillis",
                        within(evaluated, Checks.LATEST_MILLIS));
            }
            case "Invalidation" -> invalidation();
            case "CacheCounts" -> {
                long reads = within(0, CacheCounts.MOST);
                long clientHits = within(0, reads);
                yield Map.of("reads", reads, "clientHits", clientHits, "sharedHits", within(0, reads - clientHits));
            }
            case "ExperimentCounts" -> {
                long scored = count();
                yield Map.of("scored", scored, "qualitySum", scored * fraction());
            }
            default -> Map.of();
        };
    }

    private Map<String, ?> observation() {
        long offered = count();
        long answered = count();
        long timedOut = within(0, answered);
        long notAsked = within(0, answered);
        return Map.of(
                "offered",
                offered,
                "answered",
                answered,
                "timedOut",
                timedOut,
                "notAsked",
                notAsked,
                "unmeasurable",
                unmeasurable(answered),
                "missing",
                some(MissingCount.class, () -> Map.of("answers", within(0, timedOut))),
                "notAskedComponents",
                some(MissingCount.class, () -> Map.of("answers", within(0, notAsked))),
                "costs",
                some(CostCount.class, () -> Map.of("offered", within(0, offered), "answered", within(0, answered))));
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

    private List<Integer> factors(int tiers) {
        return Stream.generate(() -> (int) within(1, 10_000)).limit(tiers).toList();
    }

    /** Each bin begins where the one before ends. */
    private List<CalibrationBin> calibration() {
        List<CalibrationBin> bins = new ArrayList<>();
        double from = 0;
        for (double to : random.doubles(size()).sorted().toArray()) {
            bins.add(any(CalibrationBin.class, Map.of("from", from, "to", to)));
            from = to;
        }
        return bins;
    }

    private TrafficCounts second() {
        Map<String, Object> counts = new HashMap<>();
        for (RecordField field : RecordFields.of(TrafficCounts.class).all()) {
            counts.put(field.component(), within(0, ServerObservation.MOST_IN_A_SECOND));
        }
        counts.put("observedMicros", within(1, 60_000_000));
        counts.remove("busyCoreMicros");
        return any(TrafficCounts.class, counts);
    }

    private Map<String, Object> end() {
        long start = millis();
        return new HashMap<>(Map.of("startMillis", start, "endMillis", within(start, Checks.LATEST_MILLIS) + 1));
    }

    private Map<String, ?> invalidation() {
        ResultChange change = constant(ResultChange.values());
        InvalidationMode mode = constant(InvalidationMode.values());
        boolean isMark = change == ResultChange.NONE;
        boolean isOfNoRecord = isMark || (change.mayLackRecord() && random.nextBoolean());
        return Map.of(
                "change",
                change,
                "mode",
                mode,
                "service",
                isMark ? "" : name(),
                "table",
                isMark ? "" : name(),
                "key",
                isMark ? "" : text(),
                "record",
                isOfNoRecord ? "" : text(),
                "serveStaleMillis",
                mode == InvalidationMode.SOFT ? within(1, CacheRead.LONGEST_TTL_MILLIS) : 0L,
                "retryAfterMillis",
                change == ResultChange.REFUSED ? within(1, Invalidation.LONGEST_RETRY_MILLIS) : 0L);
    }

    /** At least one, with distinct first components. */
    private <T extends Record> List<T> some(Class<T> type, Supplier<Map<String, ?>> fixed) {
        return distinct(
                Stream.generate(() -> any(type, fixed.get())).limit(1 + size()).toList());
    }

    private static <T> List<T> distinct(List<T> elements) {
        Map<Object, T> byIdentity = new LinkedHashMap<>();
        elements.forEach(e -> byIdentity.putIfAbsent(identity(e), e));
        return List.copyOf(byIdentity.values());
    }

    private static Object identity(Object element) {
        return element instanceof Record part
                ? RecordFields.of(part.getClass()).all().get(0).get(part)
                : element;
    }

    private Object any(RecordField field, FieldBounds bounds) {
        int n = (int) Math.min(field.size().most(), Math.max(field.size().least(), size()));
        if (field.isList()) {
            List<Object> list =
                    Stream.generate(() -> one(field, bounds)).limit(n).toList();
            boolean mustDiffer = field.isDistinct()
                    || (field.ascending().isPresent() && field.ascending().get().strictly());
            list = mustDiffer ? distinct(list) : list;
            return field.ascending().isEmpty()
                    ? list
                    : list.stream()
                            .sorted(Comparator.comparingDouble(e -> ((Number) identity(e)).doubleValue()))
                            .toList();
        }
        if (field.isMap()) {
            Map<Object, Object> map = new HashMap<>();
            for (int i = 0; i < n; i++) {
                map.put(name(), one(field, bounds));
            }
            return map;
        }
        if (field.isArray()) {
            return DoubleStream.generate(() -> number(bounds)).limit(n).toArray();
        }
        if (field.isOptional()) {
            return random.nextBoolean() ? Optional.empty() : Optional.of(one(field, bounds));
        }
        return field.isBytes() ? bytes(n) : one(field, bounds);
    }

    private Object one(RecordField field, FieldBounds bounds) {
        Class<?> type = field.element();
        if (type == Items.class) {
            return items();
        }
        if (type == Features.class) {
            return Features.of(random.longs(size()).toArray());
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
            long value = within(bounds.leastWhole(), bounds.mostWhole());
            return type == int.class || type == Integer.class ? (Object) (int) value : value;
        }
        return field.isNumber() ? number(bounds) : (Object) random.nextBoolean();
    }

    private double number(FieldBounds bounds) {
        double width = bounds.most() - bounds.least();
        return Double.isInfinite(width)
                ? random.nextGaussian()
                : Math.min(bounds.most(), bounds.least() + width * fraction());
    }

    private Items items() {
        float[] scores = new float[size()];
        long[] numbers = random.longs(scores.length).toArray();
        String[] texts = new String[scores.length];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = (float) random.nextGaussian();
            texts[i] = text() + '/';
        }
        if (scores.length == 0) {
            return Items.NONE;
        }
        return random.nextBoolean() ? Items.ofNumbers(numbers, scores) : Items.ofTexts(texts, scores);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private <T> Optional<T> maybe(T value) {
        return random.nextBoolean() ? Optional.of(value) : Optional.empty();
    }

    private int size() {
        return random.nextInt(6);
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

    private long millis() {
        return within(1, Checks.LATEST_MILLIS);
    }

    private long count() {
        return within(0, 1L << 53);
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
