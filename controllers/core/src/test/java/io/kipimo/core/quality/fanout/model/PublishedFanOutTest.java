package io.kipimo.core.quality.fanout.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.fanout.model.FanOutChoice.Reason;
import io.kipimo.core.sampling.Exploration;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutPublicationBuilder;
import io.kipimo.schemas.fanout.FanOutState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PublishedFanOutTest {
    private static final long NOW = 1_764_000_000_000L;
    private static final FanOutPublication ON = FanOutPublicationBuilder.builder()
            .service("search")
            .queryClass("low")
            .version(3)
            .learnedAtMillis(NOW)
            .validUntilMillis(NOW + 1_000)
            .state(FanOutState.ON)
            .reason("saves work")
            .floor(0.85)
            .exploration(0.1)
            .model(Optional.of(Topics.learned(6_000).model(3, NOW).table()))
            .build();

    private static FanOutChoice choose(FanOutPublication publication, String id, long[] features) {
        return new PublishedFanOut(publication).choose(id, features, Topics.COMPONENTS, NOW);
    }

    @Test
    void exploredQueriesAreAskedInFullAndOthersByTheModel() throws Exception {
        // As a front end gets it.
        FanOutPublication read = Codecs.FAN_OUT_PUBLICATION.decode(Codecs.FAN_OUT_PUBLICATION.encode(ON));
        int trimmed = 0;
        long[][] queries = Topics.queries(1_000);
        for (int i = 0; i < queries.length; i++) {
            FanOutChoice choice = choose(read, "q" + i, queries[i]);
            assertThat(choice.explored()).isEqualTo(Exploration.isExplored("q" + i, 0.1));
            if (choice.explored()) {
                assertThat(choice.asked()).isEqualTo(Topics.COMPONENTS);
                assertThat(choice.expectedLoss()).isZero();
            }
            if (choice.reason() == Reason.CHOSEN) {
                trimmed++;
                assertThat(choice.asked()).isNotEmpty().hasSizeLessThan(4);
                assertThat(choice.expectedQuality()).isBetween(0.85, 1.0);
            }
        }
        assertThat(trimmed).isGreaterThan(700);
    }

    @Test
    void inShadowAllAreAskedAndTheChoiceIsTold() {
        FanOutPublication shadow = FanOutPublicationBuilder.builder(ON)
                .state(FanOutState.SHADOW)
                .exploration(0)
                .build();
        long[] features = Topics.queries(1)[0];

        FanOutChoice choice = choose(shadow, "q", features);

        assertThat(choice.reason()).isEqualTo(Reason.SHADOW);
        assertThat(choice.asked()).isEqualTo(Topics.COMPONENTS);
        assertThat(choice.expectedLoss()).isZero();
        assertThat(choice.proposed())
                .contains(choose(
                        FanOutPublicationBuilder.builder(ON).exploration(0).build(), "q", features));
    }

    @Test
    void anExpiredOrEmptyPublicationAsksAllAndExploresNothing() {
        PublishedFanOut on = new PublishedFanOut(ON);
        long[] features = Topics.queries(1)[0];

        assertThat(on.choose("q", features, Topics.COMPONENTS, NOW + 1_000))
                .isEqualTo(FanOutChoice.all(Topics.COMPONENTS, Reason.EXPIRED));
        assertThat(on.explorationAt(NOW + 999)).isEqualTo(0.1);
        assertThat(on.explorationAt(NOW + 1_000)).isZero();

        PublishedFanOut off = new PublishedFanOut(FanOutPublicationBuilder.builder(ON)
                .state(FanOutState.OFF)
                .model(Optional.empty())
                .build());
        assertThat(off.choose("q", features, Topics.COMPONENTS, NOW).reason()).isEqualTo(Reason.OFF);
        assertThat(off.explorationAt(NOW)).isZero();
    }

    @Test
    void otherComponentsAskAll() {
        FanOutPublication on =
                FanOutPublicationBuilder.builder(ON).exploration(0).build();
        List<String> others = List.of("a", "b", "c", "e");

        assertThat(new PublishedFanOut(on).choose("q", Topics.queries(1)[0], others, NOW))
                .isEqualTo(FanOutChoice.all(others, Reason.OTHER_LAYOUT));
        assertThat(choose(on, "q", new long[0]).reason()).isEqualTo(Reason.NO_FEATURES);
    }
}
