package io.kipimo.core.rating;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.rating.EarlyStop.Outlook;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class EarlyStopTest {
    /** 95 % within 100 ms, at most 1 % errors. */
    private static final AgreementTerms AGREEMENT = new AgreementTerms(0.95, 100_000, 1, 0, 0.01, 600_000);

    private static final EarlyStop STOP = new EarlyStop(0.001, 1);

    private static ExperimentCounts of(long requests, long within, long errors) {
        return ExperimentCounts.of(requests, within, errors, 0, 0, 0, 0);
    }

    @Test
    void clearFailureIsSureSoon() {
        assertThat(STOP.of(AGREEMENT, of(100, 40, 0), 0)).isEqualTo(Outlook.SURELY_FAILS);
    }

    @Test
    void clearPassIsSureLater() {
        assertThat(STOP.of(AGREEMENT, of(1_000, 1_000, 0), 0)).isEqualTo(Outlook.OPEN);
        assertThat(STOP.of(AGREEMENT, of(200_000, 200_000, 0), 0)).isEqualTo(Outlook.SURELY_PASSES);
    }

    @Test
    void moreLateThanTheWholeExperimentMayHaveIsAFailure() {
        assertThat(STOP.of(AGREEMENT, of(600, 549, 0), 1_000)).isEqualTo(Outlook.SURELY_FAILS);
        assertThat(STOP.of(AGREEMENT, of(600, 551, 0), 1_000)).isEqualTo(Outlook.OPEN);
    }

    @Test
    void requestsThatShareTheirFateCountAsOne() {
        assertThat(new EarlyStop(0.001, 100).of(AGREEMENT, of(100, 40, 0), 0)).isEqualTo(Outlook.OPEN);
    }

    @Test
    void poorAnswersFailAsSlowOnesDo() {
        AgreementTerms good = new AgreementTerms(0, 1, 1, 0.9, 1, 1);

        assertThat(STOP.of(good, ExperimentCounts.of(5_000, 0, 0, 0, 0, 5_000, 3_500), 0))
                .isEqualTo(Outlook.SURELY_FAILS);
        assertThat(STOP.of(good, ExperimentCounts.of(5_000, 0, 0, 0, 0, 5_000, 4_950), 0))
                .isEqualTo(Outlook.SURELY_PASSES);
    }

    @Test
    void nothingSurePromisedIsAlwaysKept() {
        AgreementTerms nothing = new AgreementTerms(0, 1, 1, 0, 1, 1);

        assertThat(STOP.of(nothing, ExperimentCounts.NONE, 0)).isEqualTo(Outlook.SURELY_PASSES);
    }

    /** Evaluated after every request. An interval for a single evaluation would fail often. */
    @Property(tries = 300, seed = "4711")
    void isNeverSureOfTheOpposite(@ForAll long seed, @ForAll @DoubleRange(min = 0.9, max = 1) double share) {
        SplittableRandom random = new SplittableRandom(seed);
        long within = 0;
        for (int n = 1; n <= 3_000; n++) {
            within += random.nextDouble() < share ? 1 : 0;
            Outlook outlook = STOP.of(AGREEMENT, of(n, within, 0), 0);
            assertThat(outlook).isNotEqualTo(share >= 0.95 ? Outlook.SURELY_FAILS : Outlook.SURELY_PASSES);
        }
    }
}
