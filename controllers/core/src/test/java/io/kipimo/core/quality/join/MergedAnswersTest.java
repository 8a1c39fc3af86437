package io.kipimo.core.quality.join;

import static io.kipimo.core.quality.join.Events.START;
import static io.kipimo.core.quality.join.Events.answer;
import static io.kipimo.core.quality.join.Events.inTime;
import static io.kipimo.core.quality.join.Events.mature;
import static io.kipimo.core.quality.join.Events.notAsked;
import static io.kipimo.core.quality.join.Events.online;
import static io.kipimo.core.quality.join.Events.partial;
import static io.kipimo.core.quality.join.Events.timedOut;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Phase;
import org.junit.jupiter.api.Test;

class MergedAnswersTest {
    private final QualitySettings settings = QualitySettings.of(Events.policy());

    private OpenQuery query(LoggedEvent... events) {
        OpenQuery query = new OpenQuery();
        for (LoggedEvent event : events) {
            Events.accept(query, event, settings);
        }
        return query;
    }

    @Test
    void theMatureAnswerHasTheLateResults() {
        LoggedEvent texts =
                partial("b", Phase.MATURE, START + 90, Items.ofTexts(new String[] {"x", "y"}, new float[] {9_000, 1}));
        MergedAnswers merged = MergedAnswers.of(
                        query(answer(inTime("a"), timedOut("b")), online("a", 1, 3), texts), settings)
                .orElseThrow();
        assertThat(merged.online()).containsExactlyInAnyOrder("1", "3");
        assertThat(merged.mature())
                .containsExactlyInAnyOrder("x", "1", "3", "y")
                .startsWith("x");
    }

    @Test
    void componentsThatWereNotAskedHaveNoPart() {
        OpenQuery query = query(answer(inTime("a"), notAsked("b")), online("a", 1, 3));
        MergedAnswers merged = MergedAnswers.of(query, settings).orElseThrow();
        assertThat(merged.mature()).isEqualTo(merged.online()).hasSize(2);
    }

    @Test
    void withoutAResultThereIsNoMatureAnswer() {
        assertThat(MergedAnswers.of(query(answer(inTime("a"), timedOut("b")), online("a", 1, 3)), settings))
                .isEmpty();
        assertThat(MergedAnswers.of(query(answer(timedOut("b")), online("b", 1), mature("c", 2)), settings))
                .as("an in-time result of a late component is another one")
                .isEmpty();
    }

    @Test
    void aServiceThatMergesItselfHasNoParts() {
        QualitySettings replayed = QualitySettings.of(Events.replayPolicy());
        assertThatThrownBy(() -> MergedAnswers.of(new OpenQuery(), replayed)).isInstanceOf(IllegalStateException.class);
    }
}
