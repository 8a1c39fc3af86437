package io.kipimo.core.quality.join;

import static io.kipimo.core.quality.join.Events.KEY;
import static io.kipimo.core.quality.join.Events.START;
import static io.kipimo.core.quality.join.Events.WINDOW;
import static io.kipimo.core.quality.join.Events.answer;
import static io.kipimo.core.quality.join.Events.event;
import static io.kipimo.core.quality.join.Events.inTime;
import static io.kipimo.core.quality.join.Events.items;
import static io.kipimo.core.quality.join.Events.mature;
import static io.kipimo.core.quality.join.Events.online;
import static io.kipimo.core.quality.join.Events.partial;
import static io.kipimo.core.quality.join.Events.timedOut;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.deadline.ProfileSubject;
import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.core.quality.similarity.Similarity;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests single queries; {@link JoinContract} tests many. */
class JoinEngineTest implements JoinOutput {
    private static final long FORGOTTEN = START + WINDOW + JoinEngine.TOMBSTONE_SLACK_MILLIS;

    private final QueryStore store = new QueryStore();
    private final QualitySettings settings = QualitySettings.of(Events.policy());
    private final JoinEngine engine = engine(true);
    private final List<Measurement> rows = new ArrayList<>();
    private final List<JoinResult> fates = new ArrayList<>();
    private final List<QueryKey> begun = new ArrayList<>();
    private final List<ProfileSubject> subjects = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();

    private JoinEngine engine(boolean keepsResults) {
        return new JoinEngine(store, service -> service.equals("shop") ? settings : null, keepsResults, this);
    }

    @Override
    public void onFate(SampledEvent event, JoinResult fate) {
        fates.add(fate);
    }

    @Override
    public void onBegin(QueryKey key) {
        begun.add(key);
    }

    @Override
    public void onMeasurement(Measurement measurement, long measuredBeforeMillis) {
        rows.add(measurement);
    }

    @Override
    public void onTimes(long onlineMillis, long matureMillis) {
        times.addAll(List.of(onlineMillis, matureMillis));
    }

    @Override
    public void onResults(QueryKey key, OpenQuery query, Optional<Measurement> measurement) {
        ProfileSubject.of(key, query, measurement).ifPresent(subjects::add);
    }

    private void take(LoggedEvent... events) {
        for (LoggedEvent event : events) {
            assertThat(engine.accept(event)).isTrue();
        }
    }

    @Test
    void aQueryBeginsIsMeasuredAndForgotten() {
        take(answer(inTime("a"), timedOut("b")), online("a", 1));
        assertThat(begun).containsExactly(KEY);
        assertThat(engine.nextDueMillis()).isEqualTo(START + WINDOW);
        assertThat(engine.lastSettledMillis()).isEqualTo(START + WINDOW);

        engine.advance(START + WINDOW - 1);
        assertThat(rows).isEmpty();
        engine.advance(START + WINDOW);
        assertThat(rows).singleElement().extracting(Measurement::completeness).isEqualTo(Completeness.EXPIRED);
        assertThat(engine.nextDueMillis()).isEqualTo(FORGOTTEN);

        engine.advance(FORGOTTEN - 1);
        assertThat(store.find(KEY)).as("tombstone").isNotNull();
        engine.advance(FORGOTTEN);
        assertThat(store.find(KEY)).isNull();
        assertThat(engine.nextDueMillis()).isEqualTo(Long.MAX_VALUE);
        assertThat(rows).hasSize(1);
    }

    @Test
    void theMatureTimeIsThatOfTheLastResult_orOfTheReplay() {
        take(answer(inTime("a"), timedOut("b")), online("a", 1), mature("b", 2));
        assertThat(times).containsExactly(30L, 200L);

        QualitySettings ofReplays = QualitySettings.of(Events.replayPolicy());
        JoinEngine replays = new JoinEngine(new QueryStore(), service -> ofReplays, true, this);
        for (LoggedEvent event : List.of(
                answer(AnswerKind.ONLINE, items(1), START + 30, inTime("a"), timedOut("b")),
                answer(AnswerKind.REPLAYED, items(1, 2), START + 90))) {
            assertThat(replays.accept(event)).isTrue();
        }
        assertThat(times).endsWith(30L, 90L).hasSize(4);
    }

    /** As of a plug-in. */
    @Test
    void aQueryWhoseAnswersCannotBeComparedIsNotMeasurable() {
        Similarity broken = new Similarity() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public double of(Ranking online, Ranking mature) {
                throw new IllegalStateException("similarity broken is 7.0; allowed: 0..1");
            }
        };
        QualitySettings withPlugIn = new QualitySettings(
                settings.expirationWindowMillis(),
                settings.topK(),
                settings.mergePolicy(),
                settings.merge(),
                List.of(broken),
                settings.perfectScores());
        JoinEngine engine = new JoinEngine(store, service -> withPlugIn, true, this);
        for (LoggedEvent event : List.of(answer(inTime("a"), timedOut("b")), online("a", 1), mature("b", 2))) {
            assertThat(engine.accept(event)).isTrue();
        }
        assertThat(rows).singleElement().satisfies(row -> {
            assertThat(row.completeness()).isEqualTo(Completeness.NOT_MEASURABLE);
            assertThat(row.unmeasurable()).contains(Unmeasurable.UNREADABLE);
            assertThat(row.scores()).isEmpty();
        });
        engine.advance(FORGOTTEN);
        assertThat(store.find(KEY)).isNull();
        assertThat(rows).hasSize(1);
    }

    @Test
    void anEventOfAnUnknownServiceIsNotTouched() {
        LoggedEvent stranger = event(PartialResultBuilder.builder()
                .service("other")
                .queryId("q")
                .component("a")
                .server("")
                .phase(Phase.ONLINE)
                .completedAtMillis(START)
                .items(items(1))
                .build());

        assertThat(engine.accept(stranger)).isFalse();
        assertThat(fates).isEmpty();
        assertThat(store.find(stranger.key())).isNull();
    }

    @Test
    void eventTimeNeverGoesBack() {
        engine.advance(START + WINDOW);
        engine.advance(START);
        take(online("a", 1));

        assertThat(engine.eventTimeMillis()).isEqualTo(START + WINDOW);
        assertThat(fates).containsExactly(JoinResult.LATE);
    }

    /** The window of the answer ends before the window that its result implied. */
    @Test
    void aStartThatTurnsOutToBeEarlierEndsTheWindowEarlier() {
        take(event(PartialResultBuilder.builder()
                .service("shop")
                .queryId("q")
                .component("a")
                .server("")
                .phase(Phase.ONLINE)
                .completedAtMillis(START + 5_000)
                .items(items(1))
                .build()));
        assertThat(engine.nextDueMillis()).isEqualTo(START + 5_000 + WINDOW);
        take(answer(inTime("a"), timedOut("b")));

        engine.advance(START + WINDOW);
        assertThat(rows).hasSize(1);
        engine.advance(Long.MAX_VALUE);
        assertThat(rows).hasSize(1);
        assertThat(store.find(KEY)).isNull();
    }

    @Test
    void aResultAtTheVeryEndOfTheWindowCounts() {
        take(online("a", 1), answer(inTime("a"), timedOut("b")));
        engine.advance(START + WINDOW - 1);
        take(partial("b", Phase.MATURE, START + WINDOW, items(2)));

        assertThat(rows).singleElement().extracting(Measurement::completeness).isEqualTo(Completeness.COMPLETE);
    }

    @Test
    void resultsAreHandedOverOnceAndNotKept() {
        take(online("a", 1), answer(inTime("a"), inTime("b")));
        assertThat(rows).hasSize(1);
        assertThat(subjects).isEmpty();
        take(online("b", 2));
        assertThat(subjects).hasSize(1);
        assertThat(store.find(KEY).holdsResults()).isFalse();

        engine.advance(Long.MAX_VALUE);
        assertThat(subjects).hasSize(1);
    }

    @Test
    void anEngineThatKeepsNoResultsLetsGoOfThemWithTheMeasurement() {
        JoinEngine lean = engine(false);
        lean.accept(online("a", 1));
        lean.accept(answer(inTime("a"), timedOut("b")));
        lean.accept(mature("b", 2));

        assertThat(rows).hasSize(1);
        assertThat(store.find(KEY).holdsResults()).isFalse();
        assertThat(subjects).isEmpty();
    }

    /** The row attributes no loss, so the profile must not attribute any either. */
    @Test
    void withAnInTimeResultUnseenTheProfileKnowsOfNoLossEither() {
        take(answer(inTime("a"), inTime("c"), timedOut("b")), online("a", 2, 3), mature("b", 1, 4));
        engine.advance(Long.MAX_VALUE);

        assertThat(subjects).singleElement().satisfies(subject -> assertThat(subject.results())
                .allMatch(result -> result.lostQuality() == 0));
    }

    @Test
    void aHeldResultIsLateWhenItsTimeIsOver() {
        take(mature("b", 2));
        assertThat(fates).isEmpty();
        assertThat(begun).isEmpty();
        engine.advance(Long.MAX_VALUE);

        assertThat(fates).containsExactly(JoinResult.LATE);
        assertThat(rows).isEmpty();
    }

    @Test
    void aRestoredEngineGoesOnWhereItWas() {
        take(online("a", 1), answer(inTime("a"), timedOut("b")));
        engine.advance(START + 1_000);
        JoinEngine restored = engine(true);
        restored.advance(engine.eventTimeMillis());
        restored.restore(KEY, store.find(KEY));
        assertThat(restored.nextDueMillis()).isEqualTo(START + WINDOW);

        restored.accept(mature("b", 2));
        restored.advance(Long.MAX_VALUE);
        assertThat(rows).singleElement().extracting(Measurement::completeness).isEqualTo(Completeness.COMPLETE);
        assertThat(store.find(KEY)).isNull();
    }
}
