package io.kipimo.core.quality.join;

import static io.kipimo.core.quality.join.Events.KEY;
import static io.kipimo.core.quality.join.Events.START;
import static io.kipimo.core.quality.join.Events.WINDOW;
import static io.kipimo.core.quality.join.Events.answer;
import static io.kipimo.core.quality.join.Events.inTime;
import static io.kipimo.core.quality.join.Events.items;
import static io.kipimo.core.quality.join.Events.mature;
import static io.kipimo.core.quality.join.Events.online;
import static io.kipimo.core.quality.join.Events.timedOut;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ContributionBoundsTest {
    /** Late enough that contributions learned at {@link Events#START} are final. */
    private static final long LATER = START + 60_000;

    private final QualitySettings settings = QualitySettings.of(Events.policy());
    private final ContributionBounds bounds = new ContributionBounds();

    private Measurement measure(QualitySettings how, LoggedEvent... events) {
        OpenQuery query = new OpenQuery();
        for (LoggedEvent event : List.of(events)) {
            Events.accept(query, event, how);
        }
        return bounds.complete(
                QueryJoin.measureIfComplete(KEY, query, how)
                        .or(() -> Events.expire(KEY, query, how))
                        .orElseThrow(),
                LATER);
    }

    private Measurement measure(LoggedEvent... events) {
        return measure(settings, events);
    }

    private void learnThatBGivesAQuarter(int times) {
        for (int i = 0; i < times; i++) {
            measure(answer(inTime("a"), timedOut("b")), online("a", 2, 3, 4, 5), mature("b", 1));
        }
    }

    @Test
    void aComponentThatWasNotSeenOftenMayHaveHeldEverything() {
        learnThatBGivesAQuarter(18);
        Measurement expired = measure(answer(inTime("a"), timedOut("b")), online("a", 1, 2, 3, 4));

        assertThat(expired.scores().get(0).low()).isZero();
        assertThat(expired.scores().get(0).high()).isEqualTo(1);
    }

    @Test
    void theLowEndFollowsTheGreatestContribution() {
        learnThatBGivesAQuarter(19);
        Measurement expired = measure(answer(inTime("a"), timedOut("b")), online("a", 2, 3, 4, 5));

        assertThat(expired.scores().get(0).high()).isEqualTo(1);
        assertThat(expired.scores().get(0).low()).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void completeMeasurementsPassUnchanged() {
        Measurement complete = measure(answer(inTime("a"), timedOut("b")), online("a", 2, 3), mature("b", 1, 4));

        assertThat(complete.scores().get(0).low())
                .isEqualTo(complete.scores().get(0).high());
    }

    /** Results in the answer that never reached the log may have improved the answer. */
    @Test
    void anInTimeResultThatNeverCameToTheLogOpensTheHighEnd() {
        learnThatBGivesAQuarter(19);
        Measurement expired =
                measure(answer(inTime("a"), inTime("c"), timedOut("b")), online("a", 2, 3, 4, 5), mature("b", 1, 6));

        assertThat(expired.completeness()).isEqualTo(Completeness.EXPIRED);
        assertThat(expired.scores().get(0).low())
                .as("its contribution may be everything")
                .isZero();
        assertThat(expired.scores().get(0).high()).isEqualTo(1);
        assertThat(expired.components()).allMatch(c -> c.lostQuality() == 0);
    }

    /** The recorded results seem perfect, but missing ones may have displaced some of them. */
    @Test
    void anUnloggedInTimeResultLowersTheLowEndByItsGreatestContribution() {
        for (int i = 0; i < 19; i++) {
            measure(
                    answer(inTime("a"), inTime("c"), timedOut("b")),
                    online("a", 2, 3, 5),
                    online("c", 4),
                    mature("b", 1));
        }
        Measurement expired =
                measure(answer(inTime("a"), inTime("c"), timedOut("b")), online("a", 2, 3, 5, 6), mature("b", 7));

        assertThat(expired.scores().get(0).low()).isCloseTo(0.75, within(1e-9));
        assertThat(expired.scores().get(0).high()).isEqualTo(1);
    }

    /** Replays do not show contributions. If 0 were learned from them, expired measurements would seem healthy. */
    @Test
    void aMissingReplayGivesNoBoundDespiteEarlierReplays() {
        QualitySettings replay = QualitySettings.of(Events.replayPolicy());
        LoggedEvent online = answer(AnswerKind.ONLINE, items(1, 2), START + 30, inTime("a"), timedOut("b"));
        for (int i = 0; i < 200; i++) {
            measure(replay, online, answer(AnswerKind.REPLAYED, items(1, 2), START + 400));
        }

        assertThat(measure(replay, online).scores()).allMatch(score -> score.low() == 0 && score.high() == 1);
    }

    /** A row that is emitted twice, before and after a restart, must be the same row. */
    @Test
    void boundsDependOnEarlierMeasurementsInAnyOrder() {
        List<double[]> learned = new ArrayList<>();
        Random random = new Random(7);
        for (int i = 0; i < 5_000; i++) {
            learned.add(new double[] {START + random.nextInt(600_000), random.nextInt(21) / 20.0});
        }
        ContributionBounds shuffled = new ContributionBounds();
        learned.forEach(one -> bounds.learn("b", one[1], (long) one[0]));
        Collections.shuffle(learned, random);
        learned.forEach(one -> shuffled.learn("b", one[1], (long) one[0]));

        for (long before = START; before < START + 700_000; before += 7_000) {
            assertThat(shuffled.bound("b", before)).isEqualTo(bounds.bound("b", before));
        }
        double then = bounds.bound("b", START + 300_000);
        bounds.learn("b", 1, START + 300_000);
        assertThat(bounds.bound("b", START + 300_000)).as("unchanged").isEqualTo(then);
    }

    @Test
    void theBoundCoversTheShareOfNewContributionsThatItIsMeantTo() {
        Random random = new Random(11);
        int covered = 0;
        int asked = 0;
        for (int i = 0; i < 40_000; i++) {
            double contribution = Math.pow(random.nextDouble(), 3);
            long at = START + i * 500L;
            if (i >= 1_000) {
                asked++;
                covered += contribution <= bounds.bound("b", at - WINDOW) ? 1 : 0;
            }
            bounds.learn("b", contribution, at);
        }

        assertThat(covered).as("bounds of 1 alone cover everything").isLessThan(asked);
        // The standard deviation of the share is 0.11 %.
        assertThat((double) covered / asked).isGreaterThan(ContributionBounds.COVERAGE - 0.004);
    }

    @Test
    void whatIsKeptIsBounded() {
        for (int i = 0; i < 10_000; i++) {
            bounds.learn("b", 0.5, START + i * 10_000L);
            bounds.learn("c" + i, 0.5, START);
        }

        assertThat(bounds.panes).hasSizeLessThanOrEqualTo(2_000);
        assertThat(bounds.panes.get("b").size()).isLessThanOrEqualTo(200);
        assertThat(bounds.bound("b", START + 10_000 * 10_000L)).isEqualTo(0.5);
        assertThat(bounds.bound("c9999", LATER)).isEqualTo(1);
    }

    @Test
    void theSharesOfSeveralMissingComponentsAddUpToEverythingAtMost() {
        for (int i = 0; i < 30; i++) {
            bounds.learn("b", 0.75, START);
            bounds.learn("c", 0.5, START);
        }
        Measurement expired = measure(answer(inTime("a"), timedOut("b"), timedOut("c")), online("a", 2, 3));

        assertThat(expired.scores().get(0).low()).isZero();
        assertThat(expired.components()).extracting(ComponentShare::missing).containsExactly(false, true, true);
    }
}
