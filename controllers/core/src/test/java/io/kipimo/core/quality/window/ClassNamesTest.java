package io.kipimo.core.quality.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.Events;
import org.junit.jupiter.api.Test;

class ClassNamesTest {
    private final ClassNames names = ClassNames.of(Events.policy());

    @Test
    void namedClassesKeepTheirNamesAndOthersAreOne() {
        assertThat(names.fold("high")).isEqualTo("high");
        assertThat(names.fold("low")).isEqualTo("low");
        assertThat(names.fold("High")).isEqualTo(ClassNames.OTHER);
        assertThat(names.fold(PaneSums.UNKNOWN_CLASS)).isEqualTo(ClassNames.OTHER);
    }

    @Test
    void theEmptyClassStaysEmpty() {
        assertThat(names.fold("")).isEmpty();
    }
}
