package io.kipimo.core.quality.deadline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two components, each with half of the answer; the deadline is 30 ms, the window a second. */
class QueryReplayTest {
    private static final long START = 1_700_000_000_000L;

    private final List<Measurement> measurements = new ArrayList<>();
    private final List<QueryProfile> profiles = new ArrayList<>();
    private final QueryReplay replay = new QueryReplay(policy(MergePolicy.TOP_K), measurements::add, profiles::add);

    private static Policy policy(MergePolicy merge) {
        return Policy.builder()
                .service("shop")
                .version(1)
                .metrics(List.of("tpr@4"))
                .merge(merge)
                .topK(4)
                .expirationWindowMillis(1_000)
                .slideMillis(1_000)
                .build();
    }

    private static Answer answer(Outcome slow) {
        return AnswerBuilder.builder()
                .service("shop")
                .queryId("q")
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(START)
                .answeredAtMillis(START + 30)
                .deadlineMillis(30)
                .topK(4)
                .invocations(
                        List.of(new Invocation("fast", Outcome.IN_TIME, 5_000), new Invocation("slow", slow, 30_000)))
                .items(Items.NONE)
                .build();
    }

    private static PartialResult partial(String component, Phase phase, int latencyMillis) {
        return partial(component, phase, latencyMillis, latencyMillis * 1_000L);
    }

    private static PartialResult partial(String component, Phase phase, int completedAfterMillis, long latencyMicros) {
        long item = component.equals("fast") ? 1 : 3;
        return PartialResultBuilder.builder()
                .service("shop")
                .queryId("q")
                .component(component)
                .server("")
                .phase(phase)
                .completedAtMillis(START + completedAfterMillis)
                .latencyMicros(latencyMicros)
                .items(Items.ofNumbers(new long[] {item, item + 1}, new float[] {2, 1}))
                .build();
    }

    private Measurement measurement() {
        assertThat(measurements).hasSize(1);
        return measurements.get(0);
    }

    private QueryProfile profile() {
        assertThat(profiles).hasSize(1);
        return profiles.get(0);
    }

    @Test
    void aDegradedQueryIsMeasuredAndProfiledWhenItsLastResultIsThere() {
        replay.add(answer(Outcome.TIMED_OUT));
        replay.add(partial("slow", Phase.MATURE, 45));
        assertThat(measurements).isEmpty();
        replay.add(partial("fast", Phase.ONLINE, 5));

        assertThat(measurement().completeness()).isEqualTo(Completeness.COMPLETE);
        assertThat(measurement().scores().get(0).high()).isEqualTo(0.5);
        QueryProfile profile = profile();
        assertThat(profile.qualityAt(4)).isZero();
        assertThat(profile.qualityAt(30)).isEqualTo(0.5);
        assertThat(profile.qualityAt(45)).isEqualTo(1);
        replay.finish();
        assertThat(measurements).hasSize(1);
        assertThat(profiles).hasSize(1);
    }

    @Test
    void aCleanQueryIsProfiledIfItsResultsWereRecorded() {
        replay.add(answer(Outcome.IN_TIME));
        replay.add(partial("fast", Phase.ONLINE, 5));
        replay.add(partial("slow", Phase.ONLINE, 20));
        assertThat(measurement().degraded()).isFalse();
        assertThat(profile().qualityAt(10)).isEqualTo(0.5);
    }

    @Test
    void aResultsTimeCountsFromTheQuerysStartNotFromItsInvocation() {
        replay.add(answer(Outcome.IN_TIME));
        replay.add(partial("fast", Phase.ONLINE, 12, 5_200));
        replay.add(partial("slow", Phase.ONLINE, 20, 20_900));
        QueryProfile profile = profile();
        assertThat(profile.completedMicros())
                .as("in whole milliseconds, at least the time since the invocation")
                .containsExactly(12_000, 20_900);
        assertThat(profile.qualityAt(8)).isZero();
    }

    @Test
    void aCleanQueryWithoutResultsIsStillMeasured() {
        replay.add(answer(Outcome.IN_TIME));
        replay.finish();
        assertThat(measurement().scores().get(0).low()).isEqualTo(1);
        assertThat(profiles).isEmpty();
    }

    @Test
    void resultsAfterTheWindowDoNotCount() {
        replay.add(answer(Outcome.TIMED_OUT));
        replay.add(partial("fast", Phase.ONLINE, 5));
        replay.add(partial("slow", Phase.MATURE, 1_001));
        replay.finish();
        assertThat(measurement().completeness()).isEqualTo(Completeness.EXPIRED);
        assertThat(measurement().scores().get(0).low()).isZero();
        assertThat(profile().isComplete()).isFalse();
    }

    @Test
    void repetitionsAndStrangersChangeNothing() {
        replay.add(answer(Outcome.TIMED_OUT));
        replay.add(answer(Outcome.IN_TIME));
        replay.add(partial("fast", Phase.ONLINE, 5));
        replay.add(partial("fast", Phase.ONLINE, 5));
        replay.add(partial("slow", Phase.ONLINE, 5));
        replay.add(partial("other", Phase.MATURE, 45));
        assertThat(measurements).isEmpty();
        replay.add(partial("slow", Phase.MATURE, 45));
        assertThat(measurement().degraded()).isTrue();
        assertThat(profile().isComplete()).isTrue();
    }

    @Test
    void aFailedComponentIsNotWaitedFor() {
        replay.add(answer(Outcome.FAILED));
        replay.add(partial("fast", Phase.ONLINE, 5));
        assertThat(measurement().completeness()).isEqualTo(Completeness.EXPIRED);
    }

    /** The job treats an answer after the window as late, too. */
    @Test
    void anAnswerAfterTheWindowIsNotMeasured() {
        Answer a = answer(Outcome.TIMED_OUT);
        replay.add(AnswerBuilder.builder(a)
                .startedAtMillis(START)
                .answeredAtMillis(START + 1_001)
                .build());
        replay.add(partial("fast", Phase.ONLINE, 5));
        replay.finish();

        assertThat(measurements).isEmpty();
    }

    @Test
    void aReplayedAnswerIsPassedOver() {
        Answer a = answer(Outcome.IN_TIME);
        replay.add(AnswerBuilder.builder(a)
                .kind(AnswerKind.REPLAYED)
                .startedAtMillis(START)
                .answeredAtMillis(START + 400)
                .build());
        replay.add(answer(Outcome.TIMED_OUT));
        replay.add(partial("fast", Phase.ONLINE, 5));
        replay.add(partial("slow", Phase.MATURE, 45));

        assertThat(measurement().degraded()).isTrue();
        assertThat(profile().isComplete()).isTrue();
    }

    @Test
    void servicesThatMergeNothingAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QueryReplay(
                        policy(new MergePolicy(MergeKind.REPLAYED_ANSWERS, List.of(), Map.of())), m -> {}, p -> {}))
                .withMessageContaining("REPLAYED_ANSWERS");
    }
}
