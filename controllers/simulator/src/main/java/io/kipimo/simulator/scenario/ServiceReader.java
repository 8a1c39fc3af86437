package io.kipimo.simulator.scenario;

import io.kipimo.core.arbitration.Arbiter;
import io.kipimo.core.arbitration.CopyBudget;
import io.kipimo.core.arbitration.TokenPool;
import io.kipimo.schemas.document.Section;
import io.kipimo.schemas.field.Decimals;
import io.kipimo.schemas.quality.Features;
import io.kipimo.simulator.faults.FaultPlan;
import io.kipimo.simulator.faults.MessageFaults;
import io.kipimo.simulator.faults.ServerFault;
import io.kipimo.simulator.service.AnswerCache;
import io.kipimo.simulator.service.CacheNodes;
import io.kipimo.simulator.service.Discipline;
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

    Optional<ServiceSpec> read(Section fields) {
        List<QueryKind> kinds = kinds(fields);
        List<TierSpec> tiers = fields.someSections("tiers", this::tier).stream()
                .flatMap(Optional::stream)
                .toList();
        Optional<QueryKindMix> usual = mix(fields, kinds);
        ServiceSpecBuilder service = ServiceSpecBuilder.builder()
                .name(fields.text("name", "service"))
                .deadlineSeconds(millis(fields, "deadline_millis"))
                .lateSeconds(fields.number("late_millis", 10_000, 0, ANY) * MILLISECOND)
                .cancelsLateWork(fields.flag("cancels_late_work", true))
                .topK(fields.whole("top_k", 20, 1, 10_000))
                .demandFollowsItems(fields.number("demand_follows_items", 0, 0, 1))
                .tiers(tiers)
                .kinds(kinds)
                .classes(fields.someSections("classes", load -> classLoad(load, kinds, usual)))
                .topics(fields.optional("topics", ServiceReader::topics))
                .faults(fields.section("faults", faults -> faults(faults, tiers)));
        int last = tiers.size() - 1;
        if (last >= 0 && tiers.get(last).callsPerRequest() > 0) {
            fields.problem("tiers[" + last + "].calls", "are to no tier; allowed: 0 in the last tier");
        }
        return fields.make(service::build);
    }

    private static TopicSpec topics(Section fields) {
        return new TopicSpec(
                fields.whole("count", 8, 1, MANY),
                fields.whole("words", 50, 1, MANY),
                fields.whole("words_per_query", 3, 1, Features.MOST),
                fields.number("shift_seconds", Double.POSITIVE_INFINITY, 0, ANY));
    }

    /** Reads a time in milliseconds and returns it in seconds; infinite if it is not set. */
    private static double millis(Section fields, String key) {
        return fields.number(key, Double.POSITIVE_INFINITY, 1e-6, ANY) * MILLISECOND;
    }

    private static List<QueryKind> kinds(Section fields) {
        List<QueryKind> kinds = fields.sections("kinds", kind -> {
            double factor = kind.number("demand_factor", 1, 1e-6, 1e6);
            return new QueryKind(
                    kind.needed("name", "a text"),
                    factor,
                    kind.number("skew", 0, 0, 10),
                    kind.number("cached", 0, 0, 1),
                    kind.number("predicted_cost", factor, 1e-6, 1e6));
        });
        return kinds.isEmpty() ? List.of(new QueryKind("any", 1, 0, 0)) : kinds;
    }

    private Optional<TierSpec> tier(Section fields) {
        if (!fields.has("demand")) {
            fields.problem("demand", "is not set; allowed: a distribution");
        }
        TierSpecBuilder tier = TierSpecBuilder.builder()
                .name(fields.needed("name", "a text"))
                .partitions(fields.whole("partitions", 1, 1, MANY))
                .serversPerPartition(fields.whole("servers", 1, 1, MANY))
                .cores(fields.whole("cores", 1, 1, 1024))
                .discipline(fields.choice("discipline", Discipline.class, Discipline.PROCESSOR_SHARING))
                .queueBound(fields.whole("queue_bound", TierSpec.UNBOUNDED, 1, TierSpec.UNBOUNDED))
                .demand(distribution(fields, "demand"))
                .networkDelay(distribution(fields, "network"))
                .callsPerRequest(fields.whole("calls", 0, 0, 10_000))
                .timeOutSeconds(millis(fields, "time_out_millis"))
                .factor(fields.whole("factor", 1, 1, MANY))
                .independentCopies(fields.flag("independent_copies", false))
                .arbitration(fields.section("arbiter", ServiceReader::arbitration))
                .interference(fields.optional(
                        "interference",
                        episodes -> new TierSpec.Disturbance(
                                episodes.number("every_seconds", 1e-3, ANY),
                                episodes.number("length_seconds", 1e-3, ANY),
                                episodes.number("speed", 1e-3, 1))))
                .caches(fields.optional(
                        "caches",
                        caches -> new CacheNodes(
                                caches.whole("partitions", 1, 1, MANY),
                                caches.whole("cores", 1, 1, 1024),
                                distribution(caches, "demand"))))
                .answers(fields.optional("answer_cache", ServiceReader::answerCache)
                        .flatMap(Function.identity()));
        return fields.make(tier::build);
    }

    private static Optional<AnswerCache> answerCache(Section fields) {
        return fields.make(() -> new AnswerCache(
                fields.whole("keys", 10_000, 1, 10_000_000),
                fields.number("popularity", 1, 0, 10),
                fields.number("ttl_seconds", 1e-6, ANY)));
    }

    private static TierSpec.Arbitration arbitration(Section fields) {
        TokenPool.Tokens d = TokenPool.Tokens.DEFAULT;
        Optional<TokenPool.Tokens> tokens = Optional.empty();
        if (fields.choice("kind", List.of("round_robin", "tokens")).equals("tokens")) {
            tokens = Optional.of(new TokenPool.Tokens(
                    fields.whole("tokens", d.tokens(), 1, 1_000_000),
                    fields.whole("look_ahead", d.lookAhead(), 0, 1_000_000),
                    fields.number("memory", d.memory(), 1e-6, 1),
                    d.forgetMicros(),
                    fields.whole("unknown_in_flight", d.unknownInFlight(), 1, 1_000_000)));
        }
        return new TierSpec.Arbitration(
                tokens,
                new Arbiter.Hedging(
                        fields.has("hedge_cap_millis"),
                        fields.number("hedge_quantile", 0.95, 0, 1),
                        Math.round(fields.number("hedge_cap_millis", 0, 0, 1e9) * 1000),
                        fields.number("hedge_share", CopyBudget.DEFAULT_SHARE, 0, 1_000),
                        fields.flag("cancels_losers", false)));
    }

    private Distribution distribution(Section parent, String key) {
        return parent.optional(
                        key, fields -> fields.make(() -> distribution(fields)).orElse(NOTHING))
                .orElse(NOTHING);
    }

    private Distribution distribution(Section fields) {
        String kind =
                fields.neededChoice("kind", List.of("constant", "exponential", "lognormal", "pareto", "empirical"));
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

    private static double numberOf(String line) {
        double number = Decimals.parse(line.strip());
        if (Double.isNaN(number)) {
            throw new NumberFormatException("it has '" + line + "'");
        }
        return number;
    }

    /** Reads the numbers, one a line, of the file that the field {@code file} names. */
    private double[] numbersOf(Section fields) {
        String file = fields.needed("file", "a text");
        try {
            double[] values = files.apply(file)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .mapToDouble(ServiceReader::numberOf)
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

    /** @param usual mix of query kinds for classes without a mix of their own */
    private ClassArrivals classLoad(Section fields, List<QueryKind> kinds, Optional<QueryKindMix> usual) {
        Optional<QueryKindMix> mix = mix(fields, kinds).or(() -> usual);
        if (mix.isEmpty() && kinds.size() > 1) {
            fields.problem("mix", "is not set; allowed: the shares of the " + kinds.size() + " kinds");
        }
        return new ClassArrivals(
                fields.needed("name", "a text"),
                fields.section("arrivals", section -> section.make(() -> arrivals(section))
                        .orElse(REGULAR)),
                mix.orElse(QueryKindMix.SINGLE));
    }

    private static Optional<QueryKindMix> mix(Section fields, List<QueryKind> kinds) {
        List<QueryKindMix.KindPhase> phases = fields.sections("mix", phase -> phase(phase, kinds));
        return phases.isEmpty() ? Optional.empty() : Optional.of(new QueryKindMix(phases));
    }

    private Arrivals arrivals(Section fields) {
        String kind = fields.neededChoice("kind", List.of("regular", "poisson", "diurnal", "points", "traced"));
        return switch (kind) {
            case "poisson" ->
                new Arrivals.Poisson(new RateCurve.ConstantRate(fields.number("rate_per_second", 0, 1e9)));
            case "diurnal" ->
                new Arrivals.Poisson(new RateCurve.Diurnal(
                        fields.number("trough_per_second", 0, 1e9),
                        fields.number("peak_per_second", 0, 1e9),
                        fields.number("period_seconds", 1e-3, ANY),
                        fields.number("peak_at_seconds", 0, ANY)));
            case "points" ->
                new Arrivals.Poisson(new RateCurve.Points(
                        fields.numbers("seconds", 0, ANY), fields.numbers("rates_per_second", 0, 1e9)));
            case "traced" -> Arrivals.Traced.ofSeconds(numbersOf(fields));
            default -> new Arrivals.Regular(fields.number("rate_per_second", 1e-9, 1e9));
        };
    }

    private static QueryKindMix.KindPhase phase(Section fields, List<QueryKind> kinds) {
        double from = fields.number("from_seconds", 0, 0, ANY);
        double[] byKind = fields.section("shares", shares -> kinds.stream()
                .mapToDouble(kind -> shares.free().number(kind.name(), 0, 0, ANY))
                .toArray());
        return fields.make(() -> new QueryKindMix.KindPhase(from, byKind))
                .orElse(QueryKindMix.SINGLE.phases().get(0));
    }

    private static FaultPlan faults(Section fields, List<TierSpec> tiers) {
        return new FaultPlan(
                fields.sections("servers", fault -> serverFault(fault, tiers)).stream()
                        .flatMap(Optional::stream)
                        .toList(),
                fields.section("network", ServiceReader::messageFaults),
                fields.section("log", ServiceReader::messageFaults));
    }

    private static Optional<ServerFault> serverFault(Section fields, List<TierSpec> tiers) {
        ServerFault.FaultKind kind = fields.choice("kind", ServerFault.FaultKind.class, ServerFault.FaultKind.SLOW);
        String name = fields.needed("tier", "a text");
        int partition = fields.whole("partition", 0, 0, MANY);
        int server = fields.whole("server", 0, 0, MANY);
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
        return fields.make(() -> new ServerFault(
                kind,
                name,
                partition,
                server,
                fields.number("from_seconds", 0, ANY),
                fields.number("until_seconds", 0, ANY),
                fields.number("speed", 0.1, 0, 1),
                fields.number("period_seconds", 60, 1e-3, ANY)));
    }

    private static MessageFaults messageFaults(Section fields) {
        return new MessageFaults(
                fields.number("lost", 0, 0, 1),
                fields.number("twice", 0, 0, 1),
                fields.number("late", 0, 0, 1),
                fields.number("mean_lateness_millis", 0, 0, ANY) * MILLISECOND);
    }
}
