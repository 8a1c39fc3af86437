package io.kipimo.core.invalidation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class UseMeterPropertyTest {
    private static final UseMeter METER = new UseMeter(new AccessCosts(4, 150, 6, 100));
    private static final long HOUR_MILLIS = 3_600_000;

    /** Poisson reads of one shared cache and Poisson changes; the origin sees only the misses. */
    @Property(tries = 50)
    void theRateOfReadsIsFoundThroughACacheThatHidesThem(
            @ForAll int seed,
            @ForAll @DoubleRange(min = 0.05, max = 20) double reads,
            @ForAll @DoubleRange(min = 0.02, max = 1) double changes) {
        SplittableRandom random = new SplittableRandom(seed);
        ObservedUse use = null;
        double nextRead = 0;
        double nextChange = millis(random, changes);
        double cachedUntil = 0;
        while (Math.min(nextRead, nextChange) < HOUR_MILLIS) {
            if (nextRead <= nextChange) {
                if (nextRead >= cachedUntil) {
                    use = METER.read(use, 60_000, 6, 0, (long) nextRead);
                    cachedUntil = (long) nextRead + 60_000;
                }
                nextRead += millis(random, reads);
            } else {
                if (use != null) {
                    use = METER.changed(use, true, (long) nextChange);
                }
                cachedUntil = Math.min(cachedUntil, nextChange);
                nextChange += millis(random, changes);
            }
        }
        double found = METER.demand(use).reads();
        // The relative error of an estimate from n exposed reads is 1 / sqrt(n); five of these are
        // allowed.
        double tolerance = 5 * reads / Math.sqrt(Math.max(4, use.exposedReads()));
        assertThat(found).isCloseTo(reads, within(tolerance + 0.02));
        assertThat(METER.hitsSaved(use)).isBetween(0.0, found);
    }

    private static double millis(SplittableRandom random, double perSecond) {
        return -1000 * Math.log1p(-random.nextDouble()) / perSecond;
    }

    /** Rates that vary by a twentieth around any point never make the choice alternate. */
    @Property(tries = 300)
    void noiseDoesNotMakeTheChoiceFlap(
            @ForAll int seed,
            @ForAll @DoubleRange(min = 0.01, max = 20) double reads,
            @ForAll @DoubleRange(min = 0, max = 2) double membership,
            @ForAll @DoubleRange(min = 0, max = 20) double content,
            @ForAll @IntRange(min = 1, max = 200) int records) {
        AccessCosts costs = new AccessCosts(4, 150, 6, 100);
        SplittableRandom random = new SplittableRandom(seed);
        Representation form = Representation.OBJECT_LIST;
        int switches = 0;
        for (int i = 0; i < 100; i++) {
            QueryDemand demand =
                    new QueryDemand(noisy(random, reads), noisy(random, membership), noisy(random, content));
            Representation next = costs.choose(demand, records, form, 0.2);
            switches += next == form ? 0 : 1;
            form = next;
        }
        assertThat(switches).isLessThanOrEqualTo(1);
    }

    private static double noisy(SplittableRandom random, double value) {
        return value * (0.95 + 0.1 * random.nextDouble());
    }

    /** The chosen form never costs more than the other one by more than the hysteresis. */
    @Property
    void theChoiceIsTheCheaperFormWithinTheHysteresis(
            @ForAll @DoubleRange(min = 0, max = 50) double reads,
            @ForAll @DoubleRange(min = 0, max = 5) double membership,
            @ForAll @DoubleRange(min = 0, max = 50) double content,
            @ForAll @IntRange(min = 1, max = 500) int records,
            @ForAll Representation current) {
        AccessCosts costs = new AccessCosts(4, 150, 6, 100);
        QueryDemand demand = new QueryDemand(reads, membership, content);
        double objects = costs.objectListMillis(demand);
        double ids = costs.idListMillis(demand, records, demand.recordHitFraction(records));
        boolean isIds = costs.choose(demand, records, current, 0.2) == Representation.ID_LIST;
        assertThat((isIds ? ids : objects) * 0.8).isLessThanOrEqualTo(isIds ? objects : ids);
    }
}
