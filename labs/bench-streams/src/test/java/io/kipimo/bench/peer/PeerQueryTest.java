package io.kipimo.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerQueryTest {
    private static final PartialResult IN_TIME = partial("a", Phase.ONLINE, 1, 2, 3);
    private static final PartialResult LATE = partial("b", Phase.MATURE, 4);

    @Test
    void aCleanAnswerNeedsNothingElse() {
        PeerQuery query = new PeerQuery(answer(Outcome.IN_TIME), List.of());
        assertThat(query.isComplete()).isTrue();
        assertThat(quality(query)).isEqualTo(1);
    }

    @Test
    void aDegradedAnswerNeedsAllResults() {
        Answer degraded = answer(Outcome.TIMED_OUT);
        assertThat(new PeerQuery(null, List.of(IN_TIME, LATE)).isComplete()).isFalse();
        assertThat(new PeerQuery(degraded, List.of(IN_TIME)).isComplete()).isFalse();
        assertThat(new PeerQuery(degraded, List.of(LATE)).isComplete()).isFalse();
        assertThat(new PeerQuery(degraded, List.of(LATE, IN_TIME)).isComplete()).isTrue();
    }

    @Test
    void qualityIsTheShareOfTheMatureAnswerThatTheUserGot() {
        PeerQuery query = new PeerQuery(answer(Outcome.TIMED_OUT), List.of(IN_TIME, LATE));
        assertThat(quality(query)).isEqualTo(0.75);
        assertThat(query.measure(5).completeness()).isEqualTo(Completeness.COMPLETE);
    }

    @Test
    void whatNeverCameDoesNotCount() {
        Measurement expired = new PeerQuery(answer(Outcome.TIMED_OUT), List.of(IN_TIME)).measure(5);
        assertThat(expired.completeness()).isEqualTo(Completeness.EXPIRED);
        assertThat(expired.scores().get(0).high()).isEqualTo(1);
    }

    private static double quality(PeerQuery query) {
        return query.measure(0).scores().get(0).high();
    }

    private static Answer answer(Outcome second) {
        return AnswerBuilder.builder()
                .service("s")
                .queryId("q")
                .queryClass("c")
                .kind(AnswerKind.ONLINE)
                .answeredAtMillis(100)
                .deadlineMillis(100)
                .invocations(List.of(new Invocation("a", Outcome.IN_TIME, 10), new Invocation("b", second, 100_000)))
                .items(Items.NONE)
                .build();
    }

    private static PartialResult partial(String component, Phase phase, long... ids) {
        float[] scores = new float[ids.length];
        return PartialResultBuilder.builder()
                .service("s")
                .queryId("q")
                .component(component)
                .server("")
                .phase(phase)
                .completedAtMillis(1)
                .latencyMicros(1)
                .items(Items.ofNumbers(ids, scores))
                .build();
    }
}
