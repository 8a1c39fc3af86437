package io.kipimo.operators.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.quality.join.ContributionHistory;
import io.kipimo.core.quality.window.ClassWindows;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;
import org.apache.flink.types.PojoTestUtils;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * State outlives releases: its types evolve by Flink's POJO rules or have a versioned format; none
 * falls back to Kryo.
 */
class StateTypesTest {
    @ParameterizedTest
    @ValueSource(classes = {ContributionHistory.class, ClassWindows.class, AdmissionState.class})
    void stateIsSerializedAsPojoWithoutKryo(Class<?> type) {
        assertThat(TypeInformation.of(type)).isInstanceOf(PojoTypeInfo.class);
        PojoTestUtils.assertSerializedAsPojoWithoutKryo(type);
    }
}
