package io.kipimo.simulator.scenario;

import io.kipimo.core.arbitration.ArbiterSettings;
import io.kipimo.core.arbitration.CopyBudget;
import io.kipimo.core.arbitration.TokenSettings;
import io.kipimo.schemas.quality.Features;
import io.kipimo.simulator.faults.FaultPlan;
import io.kipimo.simulator.faults.MessageFaults;
import io.kipimo.simulator.faults.ServerFault;
import io.kipimo.simulator.service.AnswerCache;
import io.kipimo.simulator.service.ArbitrationSpec;
import io.kipimo.simulator.service.CacheNodes;
import io.kipimo.simulator.service.Discipline;
import io.kipimo.simulator.service.InterferenceSpec;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.service.ServiceSpecBuilder;
import io.kipimo.simulator.service.TierSpec;
import io.kipimo.simulator.service.TierSpecBuilder;
import io.kipimo.simulator.workload.Arrivals;
import io.kipimo.simulator.workload.ClassArrivals;
import io.kipimo.simulator.workload.Distribution;
import io.kipimo.simulator.workload.QueryKind;
import io.kipimo.simulator.workload.QueryKindMix;
import io.kipimo.simulator.workload.RateCurve;
import io.kipimo.simulator.workload.TopicSpec;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads the section {@code service}. */
final class ServiceReader {
    private static final double ANY = Double.MAX_VALUE;
    private static final int MANY = 100_000;
    private static final double MILLISECOND = 1e-3;
    private static final Distribution NOTHING = new Distribution.Constant(0);
    private static final Arrivals REGULAR = new Arrivals.Regular(1);

    private final Function<String, String> files;

    ServiceReader(Function<String, String> files) {
        this.files = files;
    }

    Optional<ServiceSpec> read(Fields fields) {
        String name = fields.text("name", "service");
        double deadline = millis(fields, "deadline_millis", Double.POSITIVE_INFINITY);
        double late = fields.number("late_millis", 10_000, 0, ANY) * MILLISECOND;
        boolean cancels = fields.flag("cancels_late_work", true);
        int topK = fields.whole("top_k", 20, 1, 10_000);
        double follows = fields.number("demand_follows_items", 0, 0, 1);
        List<QueryKind> kinds = kinds(fields);
        List<TierSpec> tiers = new ArrayList<>();
        for (Fields tier : fields.someSections("tiers")) {
            tier(tier).ifPresent(tiers::add);
        }
        Optional<QueryKindMix> usual = mix(fields, kinds);
        List<ClassArrivals> classes = new ArrayList<>();
        for (Fields load : fields.someSections("classes")) {
            classes.add(classLoad(load, kinds, usual));
        }
        Optional<TopicSpec> topics = fields.optionalSection("topics").map(ServiceReader::topics);
        FaultPlan faults = faults(fields.section("faults"), tiers);
        fields.end();
        for (int i = 0; i < tiers.size(); i++) {
            boolean isLast = i == tiers.size() - 1;
            if (isLast && tiers.get(i).callsPerRequest() > 0) {
                fields.problem("tiers[" + i + "].calls", "are to no tier; allowed: 0 in the last tier");
            }
        }
        return fields.make(
                Optional.empty(),
                () -> Optional.of(ServiceSpecBuilder.builder()
                        .name(name)
                        .deadlineSeconds(deadline)
                        .lateSeconds(late)
                        .cancelsLateWork(cancels)
                        .topK(topK)
                        .demandFollowsItems(follows)
                        .tiers(tiers)
                        .kinds(kinds)
                        .classes(classes)
                        .faults(faults)
                        .topics(topics)
                        .build()));
    }

    private static TopicSpec topics(Fields fields) {
        TopicSpec topics = new TopicSpec(
                fields.whole("count", 8, 1, MANY),
                fields.whole("words", 50, 1, MANY),
                fields.whole("words_per_query", 3, 1, Features.MOST),
                fields.number("shift_seconds", Double.POSITIVE_INFINITY, 0, ANY));
        fields.end();
        return topics;
    }

    private static double millis(Fields fields, String key, double fallbackSeconds) {
        return fields.has(key) ? fields.number(key, 1e-6, ANY) * MILLISECOND : fallbackSeconds;
    }

    private static List<QueryKind> kinds(Fields fields) {
        List<QueryKind> kinds = new ArrayList<>();
        for (Fields kind : fields.sections("kinds")) {
            String name = kind.text("name");
            double factor = kind.number("demand_factor", 1, 1e-6, 1e6);
            double skew = kind.number("skew", 0, 0, 10);
            double cached = kind.number("cached", 0, 0, 1);
            double predicted = kind.number("predicted_cost", factor, 1e-6, 1e6);
            kind.end();
            kinds.add(new QueryKind(name, factor, skew, cached, predicted));
        }
        return kinds.isEmpty() ? List.of(new QueryKind("any", 1, 0, 0)) : kinds;
    }

    private Optional<TierSpec> tier(Fields fields) {
        String name = fields.text("name");
        int partitions = fields.whole("partitions", 1, 1, MANY);
        int servers = fields.whole("servers", 1, 1, MANY);
        int cores = fields.whole("cores", 1, 1, 1024);
        Discipline discipline = fields.choice("discipline", Discipline.PROCESSOR_SHARING);
        int bound = fields.whole("queue_bound", TierSpec.UNBOUNDED, 1, TierSpec.UNBOUNDED);
        Distribution demand = distribution(fields, "demand").orElse(NOTHING);
        if (!fields.has("demand")) {
            fields.problem("demand", "is not there; allowed: a distribution");
        }
        Distribution network = distribution(fields, "network").orElse(NOTHING);
        int calls = fields.whole("calls", 0, 0, 10_000);
        double timeOut = millis(fields, "time_out_millis", Double.POSITIVE_INFINITY);
        int factor = fields.whole("factor", 1, 1, MANY);
        boolean independent = fields.flag("independent_copies", false);
        ArbitrationSpec arbitration = arbitration(fields.section("arbiter"));
        Optional<InterferenceSpec> interference =
                fields.optionalSection("interference").map(ServiceReader::interference);
        Optional<CacheNodes> caches = fields.optionalSection("caches").map(this::caches);
        Optional<AnswerCache> answers = fields.optionalSection("answer_cache").flatMap(ServiceReader::answerCache);
        fields.end();
        return fields.make(
                Optional.empty(),
                () -> Optional.of(TierSpecBuilder.builder()
                        .name(name)
                        .partitions(partitions)
                        .serversPerPartition(servers)
                        .cores(cores)
                        .discipline(discipline)
                        .queueBound(bound)
                        .demand(demand)
                        .networkDelay(network)
                        .callsPerRequest(calls)
                        .timeOutSeconds(timeOut)
                        .factor(factor)
                        .independentCopies(independent)
                        .arbitration(arbitration)
                        .interference(interference)
                        .caches(caches)
                        .answers(answers)
                        .build()));
    }

    private static Optional<AnswerCache> answerCache(Fields fields) {
        int keys = fields.whole("keys", 10_000, 1, 10_000_000);
        double popularity = fields.number("popularity", 1, 0, 10);
        double ttl = fields.number("ttl_seconds", 1e-6, ANY);
        fields.end();
        return fields.make(Optional.empty(), () -> Optional.of(new AnswerCache(keys, popularity, ttl)));
    }

    private CacheNodes caches(Fields fields) {
        int partitions = fields.whole("partitions", 1, 1, MANY);
        int cores = fields.whole("cores", 1, 1, 1024);
        Distribution demand = distribution(fields, "demand").orElse(NOTHING);
        fields.end();
        return new CacheNodes(partitions, cores, demand);
    }

    private static ArbitrationSpec arbitration(Fields fields) {
        String kind = fields.optionalChoice("kind", List.of("round_robin", "tokens"));
        TokenSettings d = TokenSettings.DEFAULT;
        Optional<TokenSettings> tokens = Optional.empty();
        if (kind.equals("tokens")) {
            tokens = Optional.of(new TokenSettings(
                    fields.whole("tokens", d.tokens(), 1, 1_000_000),
                    fields.whole("look_ahead", d.lookAhead(), 0, 1_000_000),
                    fields.number("memory", d.memory(), 1e-6, 1),
                    d.forgetMicros(),
                    fields.whole("unknown_in_flight", d.unknownInFlight(), 1, 1_000_000)));
        }
        boolean hedging = fields.has("hedge_cap_millis");
        double cap = fields.number("hedge_cap_millis", 0, 0, 1e9);
        double quantile = fields.number("hedge_quantile", 0.95, 0, 1);
        double share = fields.number("hedge_share", CopyBudget.DEFAULT_SHARE, 0, 1_000);
        boolean cancels = fields.flag("cancels_losers", false);
        fields.end();
        return new ArbitrationSpec(
                tokens, new ArbiterSettings(hedging, quantile, Math.round(cap * 1000), share, cancels));
    }

    private static InterferenceSpec interference(Fields fields) {
        double every = fields.number("every_seconds", 1e-3, ANY);
        double length = fields.number("length_seconds", 1e-3, ANY);
        double speed = fields.number("speed", 1e-3, 1);
        fields.end();
        return new InterferenceSpec(every, length, speed);
    }

    private Optional<Distribution> distribution(Fields parent, String key) {
        return parent.optionalSection(key).map(fields -> {
            Distribution read = fields.make(NOTHING, () -> distribution(fields));
            fields.end();
            return read;
        });
    }

    private Distribution distribution(Fields fields) {
        String kind = fields.choice("kind", List.of("constant", "exponential", "lognormal", "pareto", "empirical"));
        if (kind.equals("empirical")) {
            double[] values = numbersOf(fields);
            for (int i = 0; i < values.length; i++) {
                values[i] *= MILLISECOND;
            }
            return new Distribution.Empirical(values);
        }
        double mean = fields.number("mean_millis", 0, ANY) * MILLISECOND;
        return switch (kind) {
            case "exponential" -> new Distribution.Exponential(mean);
            case "lognormal" -> new Distribution.LogNormal(mean, fields.number("variation", 0, 1000));
            case "pareto" -> new Distribution.Pareto(mean, fields.number("shape", 1.000_001, 1000));
            default -> new Distribution.Constant(mean);
        };
    }

    /** The numbers, one a line, of the file that the field {@code file} names. */
    private double[] numbersOf(Fields fields) {
        String file = fields.text("file");
        try {
            double[] values = files.apply(file)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            if (values.length > 0) {
                return values;
            }
            fields.problem("file", "is '" + file + "', which is empty; allowed: a number a line");
        } catch (NumberFormatException e) {
            fields.problem("file", "is '" + file + "'; " + e.getMessage() + "; allowed: a number a line");
        } catch (UncheckedIOException e) {
            fields.problem("file", "is '" + file + "', which cannot be read: " + e.getMessage());
        }
        return new double[] {1};
    }

    /** @param usual mix of classes without their own */
    private ClassArrivals classLoad(Fields fields, List<QueryKind> kinds, Optional<QueryKindMix> usual) {
        String name = fields.text("name");
        Fields section = fields.section("arrivals");
        Arrivals arrivals = section.make(REGULAR, () -> arrivals(section));
        section.end();
        Optional<QueryKindMix> mix = mix(fields, kinds).or(() -> usual);
        fields.end();
        if (mix.isEmpty() && kinds.size() > 1) {
            fields.problem("mix", "is not there; allowed: the shares of the " + kinds.size() + " kinds");
        }
        return new ClassArrivals(name, arrivals, mix.orElse(QueryKindMix.SINGLE));
    }

    private static Optional<QueryKindMix> mix(Fields fields, List<QueryKind> kinds) {
        List<QueryKindMix.Phase> phases = new ArrayList<>();
        for (Fields phase : fields.sections("mix")) {
            phases.add(phase(phase, kinds));
        }
        return phases.isEmpty() ? Optional.empty() : Optional.of(new QueryKindMix(phases));
    }

    private Arrivals arrivals(Fields fields) {
        String kind = fields.choice("kind", List.of("regular", "poisson", "diurnal", "points", "traced"));
        return switch (kind) {
            case "poisson" -> new Arrivals.Poisson(new RateCurve.Constant(fields.number("rate_per_second", 0, 1e9)));
            case "diurnal" -> {
                double trough = fields.number("trough_per_second", 0, 1e9);
                double peak = fields.number("peak_per_second", 0, 1e9);
                double period = fields.number("period_seconds", 1e-3, ANY);
                double at = fields.number("peak_at_seconds", 0, ANY);
                yield new Arrivals.Poisson(new RateCurve.Diurnal(trough, peak, period, at));
            }
            case "points" -> {
                double[] seconds = fields.numbers("seconds", 0, ANY);
                double[] rates = fields.numbers("rates_per_second", 0, 1e9);
                yield new Arrivals.Poisson(new RateCurve.Points(seconds, rates));
            }
            case "traced" -> Arrivals.Traced.ofSeconds(numbersOf(fields));
            default -> new Arrivals.Regular(fields.number("rate_per_second", 1e-9, 1e9));
        };
    }

    private static QueryKindMix.Phase phase(Fields fields, List<QueryKind> kinds) {
        double from = fields.number("from_seconds", 0, 0, ANY);
        Fields shares = fields.section("shares").free();
        double[] byKind = new double[kinds.size()];
        for (int i = 0; i < byKind.length; i++) {
            byKind[i] = shares.number(kinds.get(i).name(), 0, 0, ANY);
        }
        shares.end();
        fields.end();
        return fields.make(QueryKindMix.SINGLE.phases().get(0), () -> new QueryKindMix.Phase(from, byKind));
    }

    private static FaultPlan faults(Fields fields, List<TierSpec> tiers) {
        List<ServerFault> servers = new ArrayList<>();
        for (Fields fault : fields.sections("servers")) {
            serverFault(fault, tiers).ifPresent(servers::add);
        }
        MessageFaults network = messageFaults(fields.section("network"));
        MessageFaults log = messageFaults(fields.section("log"));
        fields.end();
        return new FaultPlan(servers, network, log);
    }

    private static Optional<ServerFault> serverFault(Fields fields, List<TierSpec> tiers) {
        ServerFault.Kind kind = fields.choice("kind", ServerFault.Kind.SLOW);
        String name = fields.text("tier");
        int partition = fields.whole("partition", 0, 0, MANY);
        int server = fields.whole("server", 0, 0, MANY);
        double from = fields.number("from_seconds", 0, ANY);
        double until = fields.number("until_seconds", 0, ANY);
        double speed = fields.number("speed", 0.1, 0, 1);
        double period = fields.number("period_seconds", 60, 1e-3, ANY);
        fields.end();
        boolean isThere = tiers.stream()
                .filter(t -> t.name().equals(name))
                .anyMatch(t -> partition < t.partitions() && server < t.serversPerPartition());
        if (!isThere) {
            fields.problem(
                    "tier",
                    "has no server "
                            + name
                            + '/'
                            + partition
                            + '/'
                            + server
                            + "; allowed: one of the service's tiers, partitions and servers");
        }
        return fields.make(
                Optional.empty(),
                () -> Optional.of(new ServerFault(kind, name, partition, server, from, until, speed, period)));
    }

    private static MessageFaults messageFaults(Fields fields) {
        double lost = fields.number("lost", 0, 0, 1);
        double twice = fields.number("twice", 0, 0, 1);
        double late = fields.number("late", 0, 0, 1);
        double lateness = fields.number("mean_lateness_millis", 0, 0, ANY) * MILLISECOND;
        fields.end();
        return new MessageFaults(lost, twice, late, lateness);
    }
}
