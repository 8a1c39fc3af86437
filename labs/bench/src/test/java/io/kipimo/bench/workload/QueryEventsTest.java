package io.kipimo.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueryEventsTest {
    private static final int QUERIES = 20_000;
    private static final EventWorkload WORKLOAD = EventWorkload.usual(QUERIES, 1_800_000_000_000L);

    private static List<QueryEvents.SentQuery> queries() {
        QueryEvents source = new QueryEvents(WORKLOAD);
        List<QueryEvents.SentQuery> queries = new ArrayList<>();
        for (int i = 0; i < QUERIES; i++) {
            queries.add(source.query(i));
        }
        return queries;
    }

    @Test
    void sharesAreAsDescribed() {
        long invoked = 0;
        long late = 0;
        long online = 0;
        long mature = 0;
        for (QueryEvents.SentQuery query : queries()) {
            assertThat(query.truth().answer().invocations()).hasSize(4);
            for (Invocation invocation : query.truth().answer().invocations()) {
                invoked++;
                late += invocation.outcome() == Outcome.TIMED_OUT ? 1 : 0;
            }
            for (PartialResult partial : query.truth().partials()) {
                assertThat(partial.items().size()).isEqualTo(20);
                online += partial.phase() == Phase.ONLINE ? 1 : 0;
                mature += partial.phase() == Phase.MATURE ? 1 : 0;
            }
        }
        assertThat((double) late / invoked).isCloseTo(0.25, within(0.005));
        assertThat((double) online / (invoked - late)).isCloseTo(0.95, within(0.005));
        assertThat((double) mature / late).isCloseTo(0.9975, within(0.002));
    }

    @Test
    void recordsHaveTheirSize() {
        long bytes = 0;
        long events = 0;
        for (QueryEvents.SentQuery query : queries()) {
            for (SentEvent sent : query.events()) {
                QueryEvent event = sent.event();
                bytes += event.isAnswer()
                        ? Codecs.ANSWER.encode(event.answer()).length
                        : Codecs.PARTIAL_RESULT.encode(event.partial()).length;
                events++;
            }
        }
        assertThat((double) bytes / events).isBetween(265.0, 295.0);
        assertThat((double) events / QUERIES).isCloseTo(4.85, within(0.02));
    }

    @Test
    void eventsComeInOrderAfterTheirQueryAndWithinItsWindow() {
        for (QueryEvents.SentQuery query : queries()) {
            long before = 0;
            for (SentEvent event : query.events()) {
                assertThat(event.micros()).isGreaterThanOrEqualTo(before);
                assertThat(event.event().eventTimeMillis())
                        .isBetween(
                                query.truth().answer().startedAtMillis(),
                                query.truth().answer().startedAtMillis() + 2_000);
                before = event.micros();
            }
        }
    }

    @Test
    void theSameQueryIsTheSameAgainAndOthersDiffer() {
        QueryEvents source = new QueryEvents(WORKLOAD);
        List<byte[]> once = bytes(source.query(7));
        assertThat(bytes(new QueryEvents(WORKLOAD).query(7)))
                .usingElementComparator(Arrays::compare)
                .isEqualTo(once);
        assertThat(bytes(source.query(8)))
                .usingElementComparator(Arrays::compare)
                .isNotEqualTo(once);
    }

    private static List<byte[]> bytes(QueryEvents.SentQuery query) {
        return query.truth().partials().stream()
                .map(Codecs.PARTIAL_RESULT::encode)
                .toList();
    }

    @Test
    void idsTellTheNumberOfTheQueryAndAreDistinct() {
        Set<String> ids = new HashSet<>();
        for (int query = 0; query < QUERIES; query++) {
            String id = QueryEvents.queryId(1, query);
            assertThat(id).hasSize(32);
            assertThat(QueryEvents.queryOf(id)).isEqualTo(query);
            ids.add(id);
            ids.add(QueryEvents.queryId(2, query));
        }
        assertThat(ids).hasSize(2 * QUERIES);
    }

    @Test
    void theRunOutIsCleanAndLaterThanEveryWindow() {
        QueryEvents.SentQuery runOut = new QueryEvents(WORKLOAD).runOut(1);
        assertThat(runOut.truth().isComplete()).isTrue();
        assertThat(runOut.truth().answer().isDegraded()).isFalse();
        assertThat(runOut.events()).hasSize(5).allMatch(event -> event.partition() == 1);
        long lastStart = WORKLOAD.startMillis() + QUERIES * 1000L / 5_000;
        assertThat(runOut.truth().answer().startedAtMillis()).isGreaterThan(lastStart + 30_000);
    }
}
