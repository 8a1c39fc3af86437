package io.kipimo.core.invalidation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class UseMeterTest {
    private static final UseMeter METER = new UseMeter(new AccessCosts(4, 150, 6, 100));

    @Test
    void whileNoCacheCanAnswerTheOriginSeesAllReads() {
        // Nothing is cached: a read every half second.
        ObservedUse use = null;
        for (int i = 0; i <= 20_000; i++) {
            use = METER.read(use, 0, 5, 0, 500L * i);
        }
        assertThat(METER.demand(use).reads()).isCloseTo(2, within(0.01));
        assertThat(METER.hitsSaved(use)).isCloseTo(2, within(0.01));
    }

    @Test
    void hitsThatTheOriginDoesNotSeeAreToldByTheTimeUntilTheNextRead() {
        // TTL of ten seconds, and the next read 100 ms after its end: ten reads a second.
        ObservedUse use = null;
        for (int i = 0; i <= 2_000; i++) {
            use = METER.read(use, 10_000, 5, 0, 10_100L * i);
        }
        assertThat(METER.demand(use).reads()).isCloseTo(10, within(0.5));
        assertThat(METER.hitsSaved(use)).isCloseTo(10, within(0.5));
    }

    @Test
    void whatIsInvalidatedAsOftenAsItIsReadSavesHalfOfTheReads() {
        ObservedUse use = null;
        for (int i = 0; i <= 2_000; i++) {
            // Each result is cached for a second, and read again a second after that.
            use = METER.read(use, 3_600_000, 5, 0, 2_000L * i);
            use = METER.changed(use, true, 2_000L * i + 1_000);
        }
        QueryDemand demand = METER.demand(use);
        assertThat(demand.reads()).isCloseTo(1, within(0.02));
        assertThat(demand.membershipChanges()).isCloseTo(0.5, within(0.01));
        assertThat(METER.hitsSaved(use)).isCloseTo(1 / 1.5, within(0.02));
    }

    @Test
    void oneReadIsNoFlood() {
        ObservedUse use = METER.read(null, 0, 5, 0, 7);
        assertThat(METER.demand(use).reads()).isCloseTo(1 / 60.0, within(1e-12));
        assertThat(METER.demand(METER.read(use, 0, 5, 0, 8)).reads()).isCloseTo(2 / 60.0, within(1e-6));
    }

    @Test
    void whatWasReadLongAgoCountsLittle() {
        ObservedUse use = null;
        for (int i = 0; i <= 1_000; i++) {
            use = METER.read(use, 0, 5, 0, 100L * i);
        }
        ObservedUse later = METER.read(use, 0, 5, 0, 100_000 + 6_000_000);
        assertThat(METER.demand(later).reads()).isLessThan(0.01);
    }

    @Test
    void writesOfRecordsThatAListOfIdsBearsStillCountAsChangesOfContent() {
        ObservedUse use = METER.read(null, 0, 5, 0.3, 0);
        assertThat(METER.demand(use).contentChanges()).isEqualTo(0.3);
    }

    @Test
    void nothingIsChosenBeforeTenReadsAndAChoiceIsHeldForAMinute() {
        ObservedUse use = null;
        for (int i = 0; i < 9; i++) {
            use = METER.read(use, 0, 6, 0.5, 1_000L * i);
            assertThat(use.isChosen()).isFalse();
        }
        for (int i = 9; i < 12; i++) {
            use = METER.read(use, 0, 6, 0.5, 1_000L * i);
        }
        assertThat(use.isChosen()).isTrue();
        assertThat(use.form()).isEqualTo(Representation.ID_LIST);
        long chosen = use.chosenAtMillis();
        use = METER.read(use, 0, 6, 0, chosen + 59_999);
        assertThat(use.form()).as("writes of records have stopped").isEqualTo(Representation.ID_LIST);
        use = METER.read(use, 0, 6, 0, chosen + 60_000);
        assertThat(use.form()).isEqualTo(Representation.OBJECT_LIST);
    }

    @Test
    void whatComesLateMovesNoTime() {
        ObservedUse use = METER.read(METER.read(null, 0, 5, 0, 10_000), 0, 5, 0, 20_000);
        ObservedUse late = METER.changed(METER.read(use, 0, 5, 0, 12_000), false, 3_000);
        assertThat(late.atMillis()).isEqualTo(20_000);
        assertThat(late.seconds()).isEqualTo(use.seconds());
        assertThat(late.exposedSeconds()).isEqualTo(use.exposedSeconds());
        assertThat(late.contentChanges()).isEqualTo(1);
    }
}
