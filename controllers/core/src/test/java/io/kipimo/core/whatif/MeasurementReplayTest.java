package io.kipimo.core.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.Events;
import io.kipimo.core.whatif.MeasurementReplay.ReplayedMeasurements;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Event time directly follows the events, like the job's watermark. */
class MeasurementReplayTest {
    private static final long START = Events.START;

    private static PartialResult result(String component, Phase phase, long atMillis) {
        return PartialResultBuilder.builder()
                .service("shop")
                .queryId("q")
                .component(component)
                .server("")
                .phase(phase)
                .completedAtMillis(atMillis)
                .latencyMicros(1_000)
                .items(Events.items(1))
                .build();
    }

    @Test
    void aResultAtTheVeryEndOfTheWindowCounts() {
        Answer answer = AnswerBuilder.builder()
                .service("shop")
                .queryId("q")
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(START)
                .answeredAtMillis(START + 30)
                .deadlineMillis(30)
                .invocations(List.of(Events.inTime("a"), Events.timedOut("b")))
                .items(Items.NONE)
                .build();
        RecordedEvents recorded = new RecordedEvents(
                List.of(answer),
                List.of(result("a", Phase.ONLINE, START + 10), result("b", Phase.MATURE, START + Events.WINDOW)),
                List.of());

        assertThat(MeasurementReplay.replay(Events.policy(), recorded, key -> 0).measurements())
                .singleElement()
                .extracting(Measurement::completeness)
                .isEqualTo(Completeness.COMPLETE);
    }

    /** The last second of a slide ends together with it. */
    @Test
    void countsFallIntoTheSlideOfTheirSecond() {
        List<Observation> seconds = new ArrayList<>();
        for (int second = 0; second < 20; second++) {
            seconds.add(ObservationBuilder.builder()
                    .service("shop")
                    .tier("front")
                    .server("f0")
                    .queryClass("high")
                    .secondMillis(START + 1_000L * second)
                    .offered(10)
                    .answered(10)
                    .timedOut(1)
                    .bill(MeasurementBill.NOTHING)
                    .admittedFraction(1)
                    .build());
        }

        ReplayedMeasurements measured =
                MeasurementReplay.replay(Events.policy(), new RecordedEvents(List.of(), List.of(), seconds), key -> 0);

        assertThat(measured.windows())
                .filteredOn(w -> w.kind() == WindowKind.SLIDING && w.metric().equals("tpr@4"))
                .filteredOn(w -> w.endMillis() <= START + 20_000)
                .extracting(QualityWindow::answered)
                .containsExactly(100L, 200L);
    }
}
