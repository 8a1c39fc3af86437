package io.kipimo.core.quality.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.quality.deadline.ProfileSubject;
import io.kipimo.core.quality.deadline.Profiling;
import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.join.JoinTraffic.Arrival;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All drivers of a {@link JoinEngine} emit the same rows for the same events. The expected rows are those of an engine
 * over objects that receives the events in their order.
 */
public abstract class JoinContract {
    /** Output of a join; a row that appears before and after a restart occurs twice. */
    public record Joined(List<Measurement> rows, List<QueryProfile> profiles) {
        public Joined() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    /** Runs the join over events of the service of {@link JoinTraffic#policy}, until all queries are measured. */
    protected abstract Joined join(List<Arrival> arrivals, long seed) throws Exception;

    /** Whether queries without an answer event are rows. */
    protected boolean hasOrphans() {
        return true;
    }

    /** Whether queries are profiled. */
    protected boolean profiles() {
        return true;
    }

    protected static LongStream seeds() {
        return LongStream.rangeClosed(1, Effort.of(2, 20));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theSameEventsComeToTheSameRows(long seed) throws Exception {
        List<Arrival> arrivals = JoinTraffic.of(seed);
        Joined expected = new Run(new QueryStore()).over(arrivals, Arrival::event);
        assertEverythingHappens(expected.rows());

        Joined joined = join(arrivals, seed);

        Set<Measurement> rows = new HashSet<>(joined.rows());
        Set<Measurement> wanted = new HashSet<>(expected.rows());
        wanted.removeIf(row -> !hasOrphans() && row.completeness() == Completeness.ORPHAN);
        assertThat(rows).isEqualTo(wanted);
        assertThat(rows).extracting(Measurement::queryId).doesNotHaveDuplicates();
        if (profiles()) {
            assertThat(texts(joined.profiles())).isEqualTo(texts(expected.profiles()));
        }
    }

    /** Records with arrays do not compare the arrays' contents. */
    private static Set<String> texts(List<QueryProfile> profiles) {
        Set<String> texts = new TreeSet<>();
        for (QueryProfile p : profiles) {
            texts.add(List.of(
                            p.startedAtMillis(),
                            p.profiledAtMillis(),
                            p.deadlineMillis(),
                            p.degraded(),
                            Arrays.toString(p.completedMicros()),
                            Arrays.toString(p.qualities()),
                            p.components(),
                            p.service(),
                            p.queryClass(),
                            p.metric())
                    .toString());
        }
        return texts;
    }

    private static void assertEverythingHappens(List<Measurement> rows) {
        assertThat(rows).extracting(Measurement::completeness).contains(Completeness.values());
        assertThat(rows)
                .as("bounds that depend on learned contributions")
                .anyMatch(row -> row.completeness() == Completeness.EXPIRED
                        && row.scores().get(0).low() > 0);
        assertThat(rows).anyMatch(Measurement::truncated);
    }

    /** An event as an engine receives it. */
    protected interface Form {
        SampledEvent of(Arrival arrival) throws Exception;
    }

    /** An engine that receives the events in their order, with the watermark of a Kafka source. */
    protected static final class Run implements JoinOutput {
        private final ContributionBounds bounds = new ContributionBounds();
        private final QualitySettings profiling = QualitySettings.of(JoinTraffic.policy());
        private final Joined joined = new Joined();
        private final JoinEngine engine;
        private int fates;

        public Run(QueryStore store) {
            QualitySettings settings = QualitySettings.of(JoinTraffic.policy());
            this.engine = new JoinEngine(store, service -> settings, true, this);
        }

        public Joined over(List<Arrival> arrivals, Form form) throws Exception {
            long newest = Long.MIN_VALUE;
            for (Arrival arrival : arrivals) {
                assertThat(engine.accept(form.of(arrival))).isTrue();
                newest = Math.max(newest, arrival.event().eventTimeMillis());
                engine.advance(newest - JoinTraffic.OUT_OF_ORDER_MILLIS - 1);
            }
            engine.advance(Long.MAX_VALUE);
            assertThat(fates).as("in = joined + late + duplicate").isEqualTo(arrivals.size());
            assertThat(engine.nextDueMillis()).as("no work is left").isEqualTo(Long.MAX_VALUE);
            return joined;
        }

        @Override
        public void onFate(SampledEvent event, JoinResult fate) {
            fates++;
        }

        @Override
        public void onMeasurement(Measurement measurement, long measuredBeforeMillis) {
            joined.rows().add(bounds.complete(measurement, measuredBeforeMillis));
        }

        @Override
        public void onResults(QueryKey key, OpenQuery query, Optional<Measurement> measurement) {
            ProfileSubject.of(key, query, measurement)
                    .map(subject -> Profiling.profile(subject, profiling))
                    .ifPresent(joined.profiles()::add);
        }
    }
}
