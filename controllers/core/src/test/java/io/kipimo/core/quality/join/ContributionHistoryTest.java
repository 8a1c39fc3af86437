package io.kipimo.core.quality.join;

import static io.kipimo.core.quality.join.Events.KEY;
import static io.kipimo.core.quality.join.Events.answer;
import static io.kipimo.core.quality.join.Events.inTime;
import static io.kipimo.core.quality.join.Events.mature;
import static io.kipimo.core.quality.join.Events.online;
import static io.kipimo.core.quality.join.Events.timedOut;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.codec.SampledEvent;
import io.kipimo.schemas.quality.Measurement;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContributionHistoryTest {
    private final QualitySettings settings = QualitySettings.of(Events.policy());
    private final ContributionHistory history = new ContributionHistory();

    private Measurement measure(SampledEvent... events) {
        OpenQuery query = new OpenQuery();
        for (SampledEvent event : List.of(events)) {
            QueryJoin.accept(query, event, settings);
        }
        return history.complete(
                QueryJoin.measureIfComplete(KEY, query, settings)
                        .or(() -> QueryJoin.measureExpired(KEY, query, settings))
                        .orElseThrow());
    }

    @Test
    void withoutHistoryAMissingComponentMayHaveHeldEverything() {
        Measurement expired = measure(answer(inTime("a"), timedOut("b")), online("a", 1, 2, 3, 4));

        assertThat(expired.scores().get(0).low()).isZero();
        assertThat(expired.scores().get(0).high()).isEqualTo(1);
    }

    @Test
    void withHistoryTheLowEndIsWhatTheComponentUsuallyGives() {
        for (int i = 0; i < 10; i++) {
            // Component b gives one of the mature four.
            measure(answer(inTime("a"), timedOut("b")), online("a", 2, 3, 4, 5), mature("b", 1));
        }
        Measurement expired = measure(answer(inTime("a"), timedOut("b")), online("a", 2, 3, 4, 5));

        assertThat(expired.scores().get(0).high()).isEqualTo(1);
        assertThat(expired.scores().get(0).low()).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void completeMeasurementsPassUnchanged() {
        Measurement complete =
                measure(answer(inTime("a"), timedOut("b")), online("a", 2, 3), mature("b", 1, 4));

        assertThat(complete.scores().get(0).low()).isEqualTo(complete.scores().get(0).high());
    }

    @Test
    void whatTwoHistoriesLearntCountsByHowMuchItWas() {
        ContributionHistory other = new ContributionHistory();
        history.learn("a", 0.1);
        other.learn("a", 0.4);
        other.learn("a", 0.4);
        other.learn("b", 0.5);

        history.add(other);

        assertThat(history.usualContribution("a")).isCloseTo(0.3, within(1e-12));
        assertThat(history.usualContribution("b")).isEqualTo(0.5);
        assertThat(history.seen).containsEntry("a", 3).containsEntry("b", 1);
    }

    @Test
    void inventedComponentsDoNotFillTheState() {
        history.learn("known", 0.5);
        for (int i = 0; i < 3 * ContributionHistory.MOST_COMPONENTS; i++) {
            history.learn("invented-" + i, 0.25);
        }
        history.learn("known", 0.5);
        ContributionHistory all = new ContributionHistory();
        all.add(history);
        all.learn("new", 0.25);

        assertThat(all.seen).hasSize(ContributionHistory.MOST_COMPONENTS);
        assertThat(all.meanContribution).hasSize(ContributionHistory.MOST_COMPONENTS);
        assertThat(all.usualContribution("known")).isEqualTo(0.5);
        assertThat(all.usualContribution("new")).as("nothing learnt: everything").isEqualTo(1);
    }
}
