package io.kipimo.core.ttl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BoundedNamesTest {
    private static final long NOW = 1_700_000_000_000L;
    private final BoundedNames names = new BoundedNames(2);

    @Test
    void firstNamesAreKept() {
        assertThat(names.fold("a", NOW)).isEqualTo("a");
        assertThat(names.fold("b", NOW)).isEqualTo("b");
        for (int i = 0; i < 300_000; i++) {
            assertThat(names.fold("invented-" + i, NOW + i)).isEqualTo(BoundedNames.OTHER);
        }
        assertThat(names.fold("a", NOW)).isEqualTo("a");
    }

    @Test
    void aNameThatWasNotUsedForAnHourGivesItsPlace() {
        String unused = names.fold("a", NOW);
        unused = names.fold("b", NOW);
        unused = names.fold("a", NOW + 10);
        long over = NOW + BoundedNames.FORGOTTEN_MILLIS;
        assertThat(names.fold("c", over - 1)).isEqualTo(BoundedNames.OTHER);
        assertThat(names.fold("c", over)).isEqualTo("c");
        assertThat(names.fold("a", over)).isEqualTo("a");
        assertThat(names.fold("b", over)).isEqualTo(BoundedNames.OTHER);
    }

    @Test
    void thereIsRoomForAName() {
        assertThatThrownBy(() -> new BoundedNames(0)).hasMessageContaining("at least 1");
    }
}
