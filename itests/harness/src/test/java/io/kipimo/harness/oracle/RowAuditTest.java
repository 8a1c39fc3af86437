package io.kipimo.harness.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Score;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RowAuditTest {
    private final RowAudit audit = new RowAudit();

    private static Measurement row(String queryId, double low, double high, double lost) {
        return Measurement.builder()
                .service("shop")
                .queryId(queryId)
                .queryClass("high")
                .startedAtMillis(1_000)
                .measuredAtMillis(6_000)
                .completeness(low == high ? Completeness.COMPLETE : Completeness.EXPIRED)
                .degraded(true)
                .topK(10)
                .scores(List.of(new Score("tpr@10", low, high)))
                .components(List.of(new ComponentShare("a", Outcome.TIMED_OUT, 1_000, low != high, lost, 0.2)))
                .build();
    }

    private List<String> add(Measurement row, OptionalDouble truth, boolean isRaised) {
        boolean isExpired = row.completeness() == Completeness.EXPIRED;
        return audit.add(row, Optional.of(new ExpectedRow(row, isExpired, truth, isRaised)));
    }

    private List<String> add(Measurement row) {
        return add(row, OptionalDouble.empty(), false);
    }

    @Test
    void theSameRowAgainIsRight() {
        assertThat(add(row("q", 0.5, 0.8, 0.2))).isEmpty();
        assertThat(add(row("q", 0.5, 0.8, 0.2))).isEmpty();

        assertThat(audit.findings().repeated()).isOne();
        assertThat(audit.findings().isRight()).isTrue();
    }

    @Test
    void anotherLowEndIsAnotherRowAndNoContradiction() {
        add(row("q", 0.5, 0.8, 0.2));

        assertThat(add(row("q", 0.4, 0.8, 0.2))).isNotEmpty();
        assertThat(audit.findings().changed()).isOne();
        assertThat(audit.findings().contradicting()).isZero();
        assertThat(audit.findings().isRight()).isFalse();
    }

    @Test
    void anotherQualityIsAContradiction() {
        add(row("q", 0.8, 0.8, 0.2));
        add(row("q", 0.9, 0.9, 0.1));

        assertThat(audit.findings().contradicting()).isOne();
    }

    @Test
    void aRowThatNobodyAskedForIsWrong() {
        assertThat(audit.add(row("q", 0.8, 0.8, 0.2), Optional.empty())).isNotEmpty();
        assertThat(audit.findings().differing()).isOne();
    }

    @Test
    void lossesThatDoNotSumToWhatTheAnswerLacksAreCounted() {
        assertThat(add(row("q", 0.8, 0.8, 0.2 + 2e-9))).isNotEmpty();
        assertThat(audit.findings().unattributed()).isOne();
        assertThat(audit.findings().isRight()).isFalse();
    }

    @Test
    void anExpiredRowMayClaimQualityOneOnlyWhereThatIsTrue() {
        Measurement claim = Measurement.builder()
                .service("shop")
                .queryId("q")
                .queryClass("high")
                .startedAtMillis(1_000)
                .measuredAtMillis(6_000)
                .completeness(Completeness.EXPIRED)
                .degraded(true)
                .topK(10)
                .scores(List.of(new Score("tpr@10", 1, 1)))
                .build();
        add(claim, OptionalDouble.of(1), false);
        assertThat(audit.findings().healthy()).isZero();

        add(claim);
        add(claim, OptionalDouble.of(0.9), false);
        assertThat(audit.findings().healthy()).isEqualTo(2);
        assertThat(audit.findings().isRight()).isFalse();
    }

    @Test
    void theTruthIsAboveTheIntervalOnlyByABetterScoreOfAnItemOfTheAnswer() {
        assertThat(add(row("a", 0.5, 0.8, 0.2), OptionalDouble.of(0.9), true)).isEmpty();
        assertThat(audit.findings().raised()).isOne();
        assertThat(audit.findings().isRight()).isTrue();

        assertThat(add(row("b", 0.5, 0.8, 0.2), OptionalDouble.of(0.9), false)).isNotEmpty();
        assertThat(audit.findings().above()).isOne();
        assertThat(audit.findings().isRight()).isFalse();
    }

    @Test
    void oneInTwentyMayBeBelowTheIntervalAndAsManyAsChanceExplains() {
        for (int query = 0; query < 1_000; query++) {
            // 50 are allowed, plus 27.6 by chance.
            add(row("q" + query, 0.5, 0.8, 0.2), OptionalDouble.of(query < 77 ? 0.4 : 0.6), false);
        }
        assertThat(audit.findings().bounded()).isEqualTo(1_000);
        assertThat(audit.findings().below()).isEqualTo(77);
        assertThat(audit.findings().isRight()).isTrue();

        add(row("more", 0.5, 0.8, 0.2), OptionalDouble.of(0.4), false);
        assertThat(audit.findings().isRight()).isFalse();
    }

    @Test
    void anIntervalFromZeroPromisesNothing() {
        add(row("q", 0, 0.8, 0.2), OptionalDouble.of(0), false);

        assertThat(audit.findings().bounded()).isZero();
    }
}
