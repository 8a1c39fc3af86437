package io.kipimo.jobs.submission;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.jobs.options.SubmissionRefusedException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SurroundingsTest {
    @ParameterizedTest
    @ValueSource(strings = {"1.20.1", "2.0.0", "2.1.3", "3.0.0", "2", "20.2"})
    void anotherFlinkIsNamed(String version) {
        assertThatThrownBy(() -> Surroundings.checkFlink(version))
                .isInstanceOf(SubmissionRefusedException.class)
                .hasMessage("this Flink is of version '" + version + "'; allowed: 2.2 or a later 2.x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.2.1", "2.3-SNAPSHOT", "2.10.0", "<unknown>"})
    void theJobsRunOnALaterOne(String version) {
        assertThatCode(() -> Surroundings.checkFlink(version)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"forst", "com.example.NoBackendFactory", "java.lang.String"})
    void aStateBackendThatIsNotThereIsNamed(String backend) {
        assertThatThrownBy(() -> Surroundings.checkBackend(of(backend)))
                .isInstanceOf(SubmissionRefusedException.class)
                .hasMessageStartingWith("state.backend.type is '" + backend + "', which Flink cannot load here (")
                .message()
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hashmap", "rocksdb"})
    void oneThatIsThereIsNot(String backend) {
        assertThatCode(() -> Surroundings.checkBackend(of(backend))).doesNotThrowAnyException();
    }

    private static Configuration of(String backend) {
        return new Configuration().set(StateBackendOptions.STATE_BACKEND, backend);
    }
}
