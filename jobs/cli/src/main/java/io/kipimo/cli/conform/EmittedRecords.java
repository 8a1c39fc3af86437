package io.kipimo.cli.conform;

import com.google.protobuf.InvalidProtocolBufferException;
import io.kipimo.core.quality.merge.MergeCheck;
import io.kipimo.core.quality.merge.MergeCheck.InTimeResult;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.core.sampling.UniformityCheck;
import io.kipimo.kafka.SourceSettings;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.schemas.wire.AnswerProto;
import io.kipimo.schemas.wire.ItemsProto;
import io.kipimo.schemas.wire.PartialResultProto;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Utils;

/** Checks the records that services emit: each record as it arrives and, at the end, all records together. */
final class EmittedRecords {
    private static final int MAXIMUM_ITEMS = 10_000;
    private static final long MOST_OFF_MILLIS = 60_000;

    /** Granularity to which append times are rounded, so that few of them are kept. */
    private static final long GRAIN_MILLIS = 100;

    /**
     * Greatest number of queries that are kept for comparison. Records of further queries are checked only
     * individually.
     */
    private static final int MOST_QUERIES = 200_000;

    /** Least number of answers from which the sampling rate is estimated. */
    private static final int LEAST_FOR_RATE = 100;

    private static final double SIGNIFICANCE = 1e-6;

    private record Problem(Rule rule, String service) {}

    private record MeterKey(String service, String tier, String server, String queryClass) {}

    private record VariantKey(String service, String queryClass, String variant) {}

    private static final class EmittedQuery {
        private String service;
        private String place;
        private Answer answer;
        private long firstMillis = Long.MAX_VALUE;
        private final List<PartialResult> partials = new ArrayList<>();
    }

    /** An event with the times that decide whether it is late. */
    private record Timed(String service, long startMillis, long appendMillis, String place) {}

    /** The newest second that a server had counted at some time. */
    private record CountedSecond(long millis, String server) {}

    private static final class Counted {
        private long count;
        private String example;
    }

    private final Map<Topic, Integer> partitions;
    private final Optional<String> onlyService;
    private final OptionalDouble knownRate;
    private final Map<String, Policy> policies;

    /** The newest counted second, by append time. Counts of all services advance this clock. */
    private final TreeMap<Long, CountedSecond> eventTime = new TreeMap<>();

    private final List<Timed> events = new ArrayList<>();
    private final Map<Problem, Counted> problems = new HashMap<>();
    private final Map<String, EmittedQuery> queries = new HashMap<>();

    /** Queries with a replayed answer. The replay measures them without partial results. */
    private final Set<String> replayed = new HashSet<>();

    private final Map<ServiceClass, Long> answers = new TreeMap<>();
    private final Map<ServiceClass, Long> counted = new HashMap<>();
    private final Map<MeterKey, TreeSet<Long>> seconds = new HashMap<>();
    private final Map<VariantKey, String> variants = new HashMap<>();
    private final Set<VariantKey> countedVariants = new HashSet<>();
    private final Set<String> services = new TreeSet<>();
    private long read;

    /**
     * @param partitions number of partitions of each topic
     * @param onlyService records of other services are ignored
     * @param knownRate highest sampling rate in force, 0..1; empty: the rate is estimated from the counts
     * @param policies by service; a service without a policy has the default expiration window, and its merge is not
     *     checked
     */
    EmittedRecords(
            Map<Topic, Integer> partitions,
            Optional<String> onlyService,
            OptionalDouble knownRate,
            Map<String, Policy> policies) {
        this.policies = policies;
        this.partitions = partitions;
        this.onlyService = onlyService;
        this.knownRate = knownRate;
    }

    long read() {
        return read;
    }

    Set<String> services() {
        return services;
    }

    /** Checks one record. */
    void take(Topic topic, ConsumerRecord<byte[], byte[]> entry) {
        String place = entry.topic() + "-" + entry.partition() + " offset " + entry.offset();
        try {
            switch (topic) {
                case ANSWERS -> takeAnswer(Codecs.ANSWER.decode(value(entry)), entry, place);
                case PARTIALS -> takePartial(Codecs.PARTIAL_RESULT.decode(value(entry)), entry, place);
                case OBSERVATIONS -> takeObservation(Codecs.OBSERVATION.decode(value(entry)), entry, place);
                default -> throw new IllegalArgumentException(topic + " is not emitted");
            }
        } catch (InvalidRecordException e) {
            read++;
            add(Rule.UNREADABLE, "", place + ": " + e.getMessage());
        }
    }

    private static byte[] value(ConsumerRecord<byte[], byte[]> entry) {
        return entry.value() == null ? new byte[0] : entry.value();
    }

    private boolean isOther(String service) {
        if (onlyService.isPresent() && !onlyService.get().equals(service)) {
            return true;
        }
        read++;
        services.add(service);
        return false;
    }

    private void takeAnswer(Answer answer, ConsumerRecord<byte[], byte[]> entry, String place)
            throws InvalidRecordException {
        String service = answer.service();
        if (isOther(service)) {
            return;
        }
        checkPlace(Topic.ANSWERS, service, answer.queryId(), entry, place);
        checkTime(service, answer.answeredAtMillis(), entry.timestamp(), place);
        checkItems(service, items(Topic.ANSWERS, entry.value()), place);
        takeTime(service, answer.startedAtMillis(), entry, place + ": query " + answer.queryId());
        if (answer.unmeasurable().isPresent()) {
            add(Rule.UNMEASURABLE, service, place + ": " + answer.unmeasurable().get());
        } else if (answer.invocations().isEmpty()) {
            add(Rule.NO_COMPONENTS, service, place + ": query " + answer.queryId());
        }
        if (answer.kind() != AnswerKind.ONLINE) {
            if (replayed.size() < MOST_QUERIES) {
                replayed.add(key(service, answer.queryId()));
            }
            return;
        }
        answers.merge(new ServiceClass(service, answer.queryClass()), 1L, Long::sum);
        if (!answer.variant().isEmpty() && variants.size() < MOST_QUERIES) {
            variants.putIfAbsent(new VariantKey(service, answer.queryClass(), answer.variant()), place);
        }
        EmittedQuery query = query(service, answer.queryId(), entry, place);
        if (query == null) {
            return;
        }
        if (query.answer == null) {
            query.answer = answer;
        } else {
            add(Rule.REPEATED_IDS, service, place + ": query " + answer.queryId());
        }
    }

    private void takePartial(PartialResult partial, ConsumerRecord<byte[], byte[]> entry, String place)
            throws InvalidRecordException {
        String service = partial.service();
        if (isOther(service)) {
            return;
        }
        checkPlace(Topic.PARTIALS, service, partial.queryId(), entry, place);
        checkTime(service, partial.completedAtMillis(), entry.timestamp(), place);
        checkItems(service, items(Topic.PARTIALS, entry.value()), place);
        takeTime(service, partial.startedAtMillis(), entry, place + ": query " + partial.queryId());
        if (partial.phase() == Phase.MATURE && partial.startedAtMillis() == 0) {
            add(Rule.NO_START, service, place + ": query " + partial.queryId());
        }
        EmittedQuery query = query(service, partial.queryId(), entry, place);
        if (query != null) {
            query.partials.add(partial);
        }
    }

    private void takeObservation(Observation observation, ConsumerRecord<byte[], byte[]> entry, String place) {
        String service = observation.service();
        String key = service + '/' + observation.tier() + '/' + observation.server();
        eventTime.merge(
                Math.floorDiv(entry.timestamp(), GRAIN_MILLIS) * GRAIN_MILLIS,
                new CountedSecond(observation.secondMillis(), key),
                (a, b) -> a.millis() >= b.millis() ? a : b);
        if (isOther(service)) {
            return;
        }
        checkPlace(Topic.OBSERVATIONS, service, key, entry, place);
        checkTime(service, observation.secondMillis(), entry.timestamp(), place);
        counted.merge(new ServiceClass(service, observation.queryClass()), observation.answered(), Long::sum);
        if (countedVariants.size() < MOST_QUERIES) {
            countedVariants.add(new VariantKey(service, observation.queryClass(), observation.variant()));
        }
        seconds.computeIfAbsent(
                        new MeterKey(service, observation.tier(), observation.server(), observation.queryClass()),
                        k -> new TreeSet<>())
                .add(Math.floorDiv(observation.secondMillis(), 1000L));
    }

    private static String key(String service, String id) {
        return service + '/' + id;
    }

    private EmittedQuery query(String service, String id, ConsumerRecord<byte[], byte[]> entry, String place) {
        String key = key(service, id);
        EmittedQuery query = queries.get(key);
        if (query == null && queries.size() < MOST_QUERIES) {
            query = new EmittedQuery();
            query.service = service;
            query.place = place + ": query " + id;
            queries.put(key, query);
        }
        if (query != null) {
            query.firstMillis = Math.min(query.firstMillis, entry.timestamp());
        }
        return query;
    }

    private void checkPlace(
            Topic topic, String service, String expected, ConsumerRecord<byte[], byte[]> entry, String place) {
        byte[] key = entry.key() == null ? new byte[0] : entry.key();
        String actual = new String(key, StandardCharsets.UTF_8);
        if (!actual.equals(expected)) {
            add(Rule.WRONG_KEY, service, place + ": key is '" + actual + "'; allowed: '" + expected + "'");
            return;
        }
        int partition = Utils.toPositive(Utils.murmur2(key)) % partitions.get(topic);
        if (partition != entry.partition()) {
            add(Rule.WRONG_PARTITION, service, place + ": allowed: partition " + partition);
        }
    }

    private void checkTime(String service, long eventMillis, long appendMillis, String place) {
        long ahead = eventMillis - appendMillis;
        if (Math.abs(ahead) > MOST_OFF_MILLIS) {
            add(
                    Rule.EVENT_TIME,
                    service,
                    "%s: event time is %s, %s%s"
                            .formatted(
                                    place, eventMillis, Math.abs(ahead) / 1000, ahead > 0 ? " s ahead" : " s behind"));
        }
    }

    private void takeTime(String service, long startMillis, ConsumerRecord<byte[], byte[]> entry, String place) {
        if (startMillis > 0 && events.size() < MOST_QUERIES) {
            events.add(new Timed(service, startMillis, entry.timestamp(), place));
        }
    }

    /** Finds events that are late, because counts appended before them had passed the end of their query's window. */
    private void checkLateness() {
        CountedSecond newest = new CountedSecond(Long.MIN_VALUE, "");
        for (Map.Entry<Long, CountedSecond> at : eventTime.entrySet()) {
            newest = at.getValue().millis() > newest.millis() ? at.getValue() : newest;
            at.setValue(newest);
        }
        for (Timed event : events) {
            Map.Entry<Long, CountedSecond> at = eventTime.lowerEntry(event.appendMillis() - GRAIN_MILLIS);
            if (at == null) {
                continue;
            }
            long past = at.getValue().millis() - event.startMillis() - windowMillis(event.service());
            if (past >= 0) {
                add(
                        Rule.LATE_FOR_COUNTS,
                        event.service(),
                        "%s was sent %s ms after its start, when counts of %s were %s ms past its window"
                                .formatted(
                                        event.place(),
                                        event.appendMillis() - event.startMillis(),
                                        at.getValue().server(),
                                        past));
            }
        }
    }

    /** The service's expiration window plus the job's default out-of-orderness, in milliseconds. */
    private long windowMillis(String service) {
        Policy policy = policies.get(service);
        return (policy == null ? Policy.builder().build() : policy).expirationWindowMillis()
                + SourceSettings.DEFAULT_OUT_OF_ORDERNESS.toMillis();
    }

    private static ItemsProto items(Topic topic, byte[] value) throws InvalidRecordException {
        try {
            return topic == Topic.ANSWERS
                    ? AnswerProto.parseFrom(value).getItems()
                    : PartialResultProto.parseFrom(value).getItems();
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("was decoded before", e);
        }
    }

    private void checkItems(String service, ItemsProto items, String place) {
        if (items.getScoresCount() > MAXIMUM_ITEMS) {
            add(Rule.TOO_MANY_ITEMS, service, place + ": " + items.getScoresCount() + " items");
        }
    }

    /**
     * Ends the checks and returns the findings, the most important first.
     *
     * @param fromMillis queries seen before this time may have earlier events that were not read
     * @param toMillis queries seen after this time may have later events that were not read
     */
    List<ConformFinding> findings(long fromMillis, long toMillis) {
        for (EmittedQuery query : queries.values()) {
            checkQuery(query, query.firstMillis >= fromMillis && query.firstMillis <= toMillis);
        }
        services.forEach(this::checkIds);
        checkLateness();
        checkObservations();
        return problems.entrySet().stream()
                .map(e -> new ConformFinding(
                        e.getKey().rule, e.getKey().service, e.getValue().count, e.getValue().example))
                .sorted(Comparator.comparing(ConformFinding::rule).thenComparing(ConformFinding::service))
                .toList();
    }

    private void checkQuery(EmittedQuery query, boolean isWhole) {
        Answer answer = query.answer;
        if (answer == null) {
            if (isWhole) {
                add(Rule.PARTIALS_WITHOUT_ANSWER, query.service, query.place);
            }
            return;
        }
        boolean isLate = answer.invocations().stream().anyMatch(i -> i.outcome() == Outcome.TIMED_OUT);
        if (isWhole
                && isLate
                && answer.items().isEmpty()
                && query.partials.isEmpty()
                && !isReplayed(query.service, answer.queryId())) {
            add(Rule.ANSWER_WITHOUT_PARTIALS, query.service, query.place);
        }
        checkMerge(query);
        Set<String> named = new HashSet<>();
        for (Invocation invocation : answer.invocations()) {
            named.add(invocation.component());
        }
        for (PartialResult partial : query.partials) {
            if (!named.contains(partial.component())) {
                add(Rule.UNNAMED_COMPONENT, query.service, query.place + ", component " + partial.component());
            }
            if (partial.startedAtMillis() != 0 && partial.startedAtMillis() != answer.startedAtMillis()) {
                add(
                        Rule.START_DIFFERS,
                        query.service,
                        "%s, component %s: %s, its answer %s"
                                .formatted(
                                        query.place,
                                        partial.component(),
                                        partial.startedAtMillis(),
                                        answer.startedAtMillis()));
            }
        }
    }

    /**
     * Tells whether a replay measures the query, so that an answer without items and without partial results is no
     * fault.
     */
    private boolean isReplayed(String service, String id) {
        Policy policy = policies.get(service);
        return replayed.contains(key(service, id))
                || (policy != null && policy.merge().kind() == MergeKind.REPLAYED_ANSWERS);
    }

    /**
     * Checks that the items of an answer are the merge of its in-time results. Skips answers of which an in-time result
     * is not known.
     */
    private void checkMerge(EmittedQuery query) {
        Answer answer = query.answer;
        Policy policy = policies.get(query.service);
        if (policy == null
                || answer.items().isEmpty()
                || answer.whyUnmeasurable().isPresent()) {
            return;
        }
        List<InTimeResult> inTime = new ArrayList<>();
        for (Invocation invocation : answer.invocations()) {
            if (invocation.outcome() == Outcome.IN_TIME) {
                Optional<PartialResult> result = query.partials.stream()
                        .filter(p -> p.phase() == Phase.ONLINE && p.component().equals(invocation.component()))
                        .findFirst();
                if (result.isEmpty()) {
                    return;
                }
                inTime.add(new InTimeResult(
                        invocation.component(),
                        result.get().items(),
                        result.get().truncated()));
            }
        }
        int topK = answer.topK() == 0 ? policy.topK() : answer.topK();
        if (MergeCheck.agreedTopK(policy.merge(), topK, answer.items(), answer.truncated(), inTime)
                .isEmpty()) {
            add(
                    Rule.MERGE_DIFFERS,
                    query.service,
                    query.place + ", merge " + policy.merge().kind());
        }
    }

    /** Checks that ids of sampled queries reach the sampling threshold and are spread evenly above it. */
    private void checkIds(String service) {
        List<EmittedQuery> sampled =
                queries.values().stream().filter(q -> q.service.equals(service)).toList();
        OptionalDouble rate = rate(service);
        if (rate.isEmpty()) {
            return;
        }
        long threshold = ConsistentSampling.threshold(rate.getAsDouble());
        long[] bins = new long[UniformityCheck.BINS];
        for (EmittedQuery query : sampled) {
            String id = id(query);
            long randomness = ConsistentSampling.randomness(id);
            if (randomness < threshold) {
                add(Rule.SAMPLING, service, query.place + ": not sampled at a rate of " + rate.getAsDouble());
            } else {
                bins[UniformityCheck.bin(randomness, threshold)]++;
            }
        }
        if (knownRate.isPresent()
                && UniformityCheck.verdict(bins, SIGNIFICANCE) == UniformityCheck.UniformityVerdict.SKEWED) {
            add(Rule.SKEWED_IDS, service, sampled.size() + " ids, such as " + id(sampled.get(0)));
        }
    }

    private static String id(EmittedQuery query) {
        return query.answer != null
                ? query.answer.queryId()
                : query.partials.get(0).queryId();
    }

    /** The known sampling rate, or an upper bound well above the sampled share; empty if there are too few answers. */
    private OptionalDouble rate(String service) {
        if (knownRate.isPresent()) {
            return knownRate;
        }
        long all = sum(counted, service);
        long sampled = sum(answers, service);
        return sampled < LEAST_FOR_RATE || all == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.min(1, 1.5 * sampled / all + 0.02));
    }

    private static long sum(Map<ServiceClass, Long> counts, String service) {
        return counts.entrySet().stream()
                .filter(e -> e.getKey().service().equals(service))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private void checkObservations() {
        answers.forEach((key, sampled) -> {
            Long all = counted.get(key);
            String name = "class " + key.queryClass();
            if (all == null) {
                add(Rule.NO_OBSERVATIONS, key.service(), name + ": " + sampled + " answers");
            } else if (sampled > all * 1.1 + 10) {
                add(Rule.COUNTS, key.service(), name + ": " + all + " counted, " + sampled + " sampled");
            }
        });
        variants.forEach((key, place) -> {
            if (!countedVariants.contains(key)) {
                add(
                        Rule.UNCOUNTED_VARIANT,
                        key.service,
                        place + ": variant '" + key.variant + "' of class " + key.queryClass);
            }
        });
        seconds.forEach((key, seen) -> {
            long missing = seen.last() - seen.first() + 1 - seen.size();
            if (missing > 0) {
                add(
                        Rule.OBSERVATION_GAPS,
                        key.service,
                        "%s/%s, class %s: %s of %s s"
                                .formatted(key.tier, key.server, key.queryClass, missing, seen.size() + missing));
            }
        });
    }

    private void add(Rule rule, String service, String example) {
        Counted known = problems.computeIfAbsent(new Problem(rule, service), p -> new Counted());
        known.count++;
        if (known.example == null) {
            known.example = example;
        }
    }
}
