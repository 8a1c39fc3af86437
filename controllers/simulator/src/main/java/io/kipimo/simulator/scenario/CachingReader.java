package io.kipimo.simulator.scenario;

import io.kipimo.core.stale.FreshnessSettings;
import io.kipimo.core.ttl.TtlSettings;
import io.kipimo.schemas.document.Section;
import io.kipimo.schemas.field.Range;
import io.kipimo.simulator.caching.CachingSpec;
import io.kipimo.simulator.caching.CachingSpecBuilder;
import java.util.Optional;

/**
 * Reads a scenario of caches. Fields that the scenario does not name are as in {@link CachingSpec#PAPER}, with two
 * exceptions: answers tell when they were evaluated, and the filter server has its default.
 */
final class CachingReader {
    /** Name of the section that makes a scenario one of caches. */
    static final String SECTION = "caching";

    private static final long MOST_READS = 1_000_000_000;
    private static final long KEPT_MILLIS = 50;
    private static final long LONGEST_MILLIS = (long) Range.DAY_MILLIS;

    private CachingReader() {}

    static Optional<CachingScenario> read(Section fields) {
        String name = fields.needed("name", "a text");
        String description = fields.text("description", "");
        long seed = fields.count("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE);
        long reads = fields.count("reads", 400_000, 1, MOST_READS);
        return fields.section(SECTION, CachingReader::spec)
                .map(spec -> new CachingScenario(name, description, seed, reads, spec));
    }

    private static Optional<CachingSpec> spec(Section fields) {
        CachingSpec d = CachingSpec.PAPER;
        TtlSettings ttls = fields.section("ttls", section -> ttls(section, d.ttls()));
        CachingSpecBuilder defaults = CachingSpecBuilder.builder(d)
                .evaluationTimes(true)
                .filterKeptMillis(KEPT_MILLIS)
                .filter(fields.section("filter", section -> section.make(() -> section.record(d.filter()))
                        .orElse(d.filter())))
                .freshness(fields.section("freshness", section -> freshness(section, ttls)))
                .ttls(ttls);
        return fields.make(() -> fields.record(defaults.build()));
    }

    /** Reads the freshness of sessions. Sessions know the longest time to live, as caching clients must. */
    private static FreshnessSettings freshness(Section fields, TtlSettings ttls) {
        FreshnessSettings d = FreshnessSettings.DEFAULT;
        return new FreshnessSettings(
                fields.count("refresh_millis", d.refreshMillis(), 0, LONGEST_MILLIS),
                fields.whole("remembered_keys", d.rememberedKeys(), 1, 100_000_000),
                ttls.longestMillis());
    }

    private static TtlSettings ttls(Section fields, TtlSettings d) {
        long shortest = fields.count("shortest_millis", d.shortestMillis(), 0, LONGEST_MILLIS);
        long longest = fields.count("longest_millis", d.longestMillis(), 1, LONGEST_MILLIS);
        double change = fields.number(
                "change_probability", d.changeProbability(), Range.LEAST_FRACTION, 1 - Range.LEAST_FRACTION);
        double smoothing = fields.number("smoothing", d.smoothing(), 0, 1);
        return fields.make(() -> new TtlSettings(change, smoothing, shortest, longest, 2 * longest, 0))
                .orElse(d);
    }
}
