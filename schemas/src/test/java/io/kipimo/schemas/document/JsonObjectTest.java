package io.kipimo.schemas.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.tails.TokenUse;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonObjectTest {
    private static final Estimate ESTIMATE = new Estimate(0.25, 0.5, 0.75);

    @Test
    void valuesStandInTheOrderInWhichTheyWereAdded() {
        assertThat(new JsonObject()
                        .with("z", 1)
                        .with("a", null)
                        .with("m", Optional.empty())
                        .with("b", Optional.of("x")))
                .hasToString("{z=1, a=null, m=null, b=x}");
    }

    @Test
    void whatIsAbsentIsLeftOutOnlyIfAskedFor() {
        assertThat(new JsonObject().withPresent("a", Optional.empty()).withPresent("b", Optional.of(2)))
                .hasToString("{b=2}");
    }

    @Test
    void aRecordGivesAllItsComponentsOrTheNamedOnesInTheirOrder() {
        assertThat(new JsonObject().with(ESTIMATE)).hasToString("{low=0.25, mean=0.5, high=0.75}");
        assertThat(new JsonObject().with(ESTIMATE, "high", "low")).hasToString("{high=0.75, low=0.25}");
    }

    @Test
    void fieldsHaveTheirNamesInDocuments() {
        assertThat(new JsonObject().withFields(new TokenUse(1, 2, 3, 4, 5), "hold_micros", "load"))
                .hasToString("{hold_micros=2.0, load=4.0}");
    }

    @Test
    void aNameThatTheRecordLacksIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JsonObject().with(ESTIMATE, "hihg"))
                .withMessageContaining("Estimate has no hihg");
    }
}
