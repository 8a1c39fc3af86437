package io.kipimo.operators.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.quality.budget.BudgetState;
import io.kipimo.core.quality.completeness.CompletenessState;
import io.kipimo.core.quality.deadline.DeadlinePane;
import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.fanout.model.FanOutSample;
import io.kipimo.core.quality.join.ContributionBounds;
import io.kipimo.core.quality.join.ContributionHistory;
import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.core.quality.window.ClassWindows;
import io.kipimo.core.rating.drift.DriftState;
import io.kipimo.core.rating.drift.ServiceFact;
import io.kipimo.operators.deadline.DeadlineProgress;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;
import org.apache.flink.types.PojoTestUtils;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * State outlives releases: its types, and those of what travels without a codec, evolve by Flink's
 * POJO rules or have a versioned format; none falls back to Kryo.
 */
class StateTypesTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                ContributionBounds.class,
                ContributionHistory.class,
                ClassPane.class,
                ClassWindows.class,
                BudgetState.class,
                CompletenessState.class,
                DeadlinePane.class,
                DeadlineProgress.class,
                QueryProfile.class,
                FanOutSample.class,
                AdmissionState.class,
                DriftState.class,
                ServiceFact.class
            })
    void stateIsSerializedAsPojoWithoutKryo(Class<?> type) {
        assertThat(TypeInformation.of(type)).isInstanceOf(PojoTypeInfo.class);
        PojoTestUtils.assertSerializedAsPojoWithoutKryo(type);
    }
}
