package io.kipimo.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.guard.MoverTurn.Mover;
import org.junit.jupiter.api.Test;

class MoverTurnTest {
    @Test
    void oneMovesAtATime() {
        MoverTurn turn = MoverTurn.FREE.taken(Mover.REPLICATION, 1_000, 500);
        assertThat(turn.isFreeFor(Mover.REPLICATION, 1_200)).isTrue();
        assertThat(turn.isFreeFor(Mover.ADMISSION, 1_200)).isFalse();
        assertThat(turn.taken(Mover.ADMISSION, 1_200, 9_999)).isEqualTo(turn);
        assertThat(turn.released(Mover.RATING)).isEqualTo(turn);
        assertThat(turn.released(Mover.REPLICATION).isFreeFor(Mover.RATING, 1_200))
                .isTrue();
    }

    @Test
    void aTurnThatIsNotGivenBackEnds() {
        MoverTurn turn = MoverTurn.FREE.taken(Mover.REPLICATION, 1_000, 500);
        assertThat(turn.taken(Mover.REPLICATION, 1_400, 500).untilMillis()).isEqualTo(1_900);
        assertThat(turn.taken(Mover.RATING, 1_500, 500).holder()).isEqualTo(Mover.RATING);
    }
}
