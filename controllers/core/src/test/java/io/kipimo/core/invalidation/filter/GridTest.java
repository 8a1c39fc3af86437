package io.kipimo.core.invalidation.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class GridTest {
    @Test
    void aQueryAndARecordMeetInOneCell() {
        Grid grid = new Grid(3, 4);
        Set<Integer> cells = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            Set<Integer> met = grid.cellsOfQuery("q" + i % 17).boxed().collect(Collectors.toSet());
            met.retainAll(grid.cellsOfRecord("c", "r" + i).boxed().toList());
            assertThat(met).containsExactly(grid.cell(grid.column("q" + i % 17), grid.row("c", "r" + i)));
            cells.addAll(met);
        }
        assertThat(cells).hasSize(12).allMatch(cell -> cell >= 0 && cell < grid.cells());
    }

    @Test
    void cellsHaveEqualShares() {
        Grid grid = new Grid(1, 8);
        int[] records = new int[8];
        for (int i = 0; i < 80_000; i++) {
            records[grid.row("c", "record-" + i)]++;
        }
        assertThat(Arrays.stream(records).boxed()).allMatch(n -> n > 9_500 && n < 10_500);
    }

    @Test
    void aGridHasCells() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Grid(0, 1)).withMessageContaining("0 columns");
    }
}
