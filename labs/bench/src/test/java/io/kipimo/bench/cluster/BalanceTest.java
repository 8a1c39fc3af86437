package io.kipimo.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.bench.report.Table;
import java.util.List;
import org.junit.jupiter.api.Test;

class BalanceTest {
    @Test
    void aHotQueryBoundsWhatMoreSubtasksBring() {
        Table table = new Balance(20_000).table(List.of(1, 8), 8);

        assertThat(table.rows()).hasSize(4);
        assertThat(table.rows().get(0).subList(2, 5)).containsOnly(1.0);
        for (List<Object> spread : table.rows().subList(2, 4)) {
            assertThat((double) spread.get(2)).isBetween(1.0, 1.1);
            // One of eight subtasks has its eighth of the others' 95 % and the hot query's 5 %.
            assertThat((double) spread.get(4)).isCloseTo(0.95 + 8 * 0.05, within(0.06));
        }
        assertThat((double) table.rows().get(2).get(3))
                .as("four shares of eleven")
                .isCloseTo(8 * 4 / 11.0, within(0.1));
    }
}
