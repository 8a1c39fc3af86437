package io.kipimo.simulator.scenario;

import io.kipimo.core.stale.FreshnessSettings;
import io.kipimo.core.ttl.TtlSettings;
import io.kipimo.schemas.field.Range;
import io.kipimo.simulator.caching.CachingSpec;
import io.kipimo.simulator.caching.CachingSpecBuilder;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Reads a scenario of caches. What it does not name is as in {@link CachingSpec#PAPER}, but answers tell when they were
 * evaluated, and the filter server has its default.
 */
final class CachingReader {
    /** The section that makes a scenario one of caches. */
    static final String SECTION = "caching";

    private static final long MOST_READS = 1_000_000_000;
    private static final long KEPT_MILLIS = 50;
    private static final long LONGEST_MILLIS = (long) Range.DAY_MILLIS;

    private CachingReader() {}

    static Optional<CachingScenario> read(Fields fields) {
        String name = fields.text("name");
        String description = fields.text("description", "");
        long seed = fields.count("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE);
        long reads = fields.count("reads", 400_000, 1, MOST_READS);
        Fields section = fields.section(SECTION);
        Optional<CachingSpec> spec = spec(section);
        section.end();
        fields.end();
        return spec.map(s -> new CachingScenario(name, description, seed, reads, s));
    }

    private static Optional<CachingSpec> spec(Fields fields) {
        CachingSpec d = CachingSpec.PAPER;
        CachingSpec.Mode mode = fields.choice("mode", d.mode());
        boolean evaluationTimes = fields.flag("evaluation_times", true);
        boolean recordsOfResults = fields.flag("records_of_results", d.recordsOfResults());
        Fields filter = fields.section("filter");
        Fields freshness = fields.section("freshness");
        TtlSettings ttls = ttls(fields.section("ttls"), d.ttls());
        return fields.make(
                Optional.empty(),
                () -> Optional.of(fields.numbers(
                        CachingSpecBuilder.builder(d)
                                .mode(mode)
                                .evaluationTimes(evaluationTimes)
                                .recordsOfResults(recordsOfResults)
                                .filterKeptMillis(KEPT_MILLIS)
                                .filter(whole(filter, d.filter()))
                                .freshness(freshness(freshness, ttls))
                                .ttls(ttls)
                                .build(),
                        Set.of())));
    }

    private static <T extends Record> T whole(Fields section, T defaults) {
        T read = section.make(defaults, () -> section.numbers(defaults, Set.of()));
        section.end();
        return read;
    }

    /** Sessions know the longest time to live, as caching clients must. */
    private static FreshnessSettings freshness(Fields fields, TtlSettings ttls) {
        FreshnessSettings d = FreshnessSettings.DEFAULT;
        long refresh = fields.count("refresh_millis", d.refreshMillis(), 0, LONGEST_MILLIS);
        int remembered = fields.whole("remembered_keys", d.rememberedKeys(), 1, 100_000_000);
        fields.end();
        return new FreshnessSettings(refresh, remembered, ttls.longestMillis());
    }

    private static TtlSettings ttls(Fields fields, TtlSettings d) {
        long shortest = fields.count("shortest_millis", d.shortestMillis(), 0, LONGEST_MILLIS);
        long longest = fields.count("longest_millis", d.longestMillis(), 1, LONGEST_MILLIS);
        double change = fields.number(
                "change_probability", d.changeProbability(), Range.LEAST_FRACTION, 1 - Range.LEAST_FRACTION);
        double smoothing = fields.number("smoothing", d.smoothing(), 0, 1);
        fields.end();
        return fields.make(
                d, () -> new TtlSettings(change, smoothing, shortest, longest, 2 * longest, OptionalDouble.empty()));
    }
}
