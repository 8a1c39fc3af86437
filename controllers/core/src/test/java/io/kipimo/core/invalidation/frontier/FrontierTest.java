package io.kipimo.core.invalidation.frontier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FrontierTest {
    @Test
    void theSlowestPartitionDecidesAndTheTimeItselfIsOpen() {
        Frontier frontier = Frontier.unknown(2).advance(0, 100);
        assertThat(frontier.completeBefore()).isEqualTo(Long.MIN_VALUE);
        frontier = frontier.advance(1, 50);
        assertThat(frontier.completeBefore()).isEqualTo(50);
        assertThat(frontier.isOpen(49)).isFalse();
        assertThat(frontier.isOpen(50)).isTrue();
    }

    @Test
    void whatWasCompleteStaysComplete() {
        Frontier frontier = Frontier.unknown(1).advance(0, 100);
        assertThat(frontier.advance(0, 90)).isEqualTo(frontier);
        assertThat(frontier.or(Frontier.unknown(1))).isEqualTo(frontier);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> frontier.or(Frontier.unknown(2)))
                .withMessageContaining("2 partitions");
    }

    @Property(tries = 200, seed = "76")
    void aReaderThatComesBackWithItsTokenLosesAndRepeatsNothing(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ResumeToken token = ResumeToken.start(3);
        List<Position> taken = new ArrayList<>();
        for (int connection = 0; connection < 20; connection++) {
            token = ResumeToken.parse(token.text());
            // The stream starts somewhat before the reader's position, and breaks off.
            long[] next = new long[3];
            for (int p = 0; p < 3; p++) {
                next[p] = Math.max(0, token.next().get(p) - random.nextInt(4));
            }
            for (int sent = random.nextInt(20); sent > 0; sent--) {
                int partition = random.nextInt(3);
                Position position = new Position(partition, 7, next[partition]++);
                ResumeToken.Reading reading = token.read(position);
                assertThat(reading).isNotEqualTo(ResumeToken.Reading.GAP);
                if (reading == ResumeToken.Reading.TAKE) {
                    taken.add(position);
                    token = token.after(position);
                }
            }
        }
        for (int p = 0; p < 3; p++) {
            int partition = p;
            List<Long> sequences = taken.stream()
                    .filter(t -> t.partition() == partition)
                    .map(Position::sequence)
                    .toList();
            for (int i = 0; i < sequences.size(); i++) {
                assertThat(sequences.get(i)).isEqualTo(i);
            }
        }
    }

    @Test
    void whatAFormerWriterStillSendsIsPassedOverAndItsNumbersAreGivenAnew() {
        ResumeToken token = ResumeToken.start(1).after(new Position(0, 7, 0));
        token = token.after(new Position(0, 7, 1));
        // The new writer has not seen number 1, so its number 1 is another notification.
        assertThat(token.read(new Position(0, 8, 1))).isEqualTo(ResumeToken.Reading.TAKE);
        token = ResumeToken.parse(token.after(new Position(0, 8, 1)).text());
        assertThat(token.read(new Position(0, 7, 2))).isEqualTo(ResumeToken.Reading.REPEATED);
        assertThat(token.read(new Position(0, 8, 1))).isEqualTo(ResumeToken.Reading.REPEATED);
        assertThat(token.read(new Position(0, 8, 2))).isEqualTo(ResumeToken.Reading.TAKE);
    }

    @Test
    void gapsAreSeenAndDamagedTokensRefused() {
        ResumeToken token = ResumeToken.start(1).after(new Position(0, 7, 0));
        assertThat(token.read(new Position(0, 7, 2))).isEqualTo(ResumeToken.Reading.GAP);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> token.after(new Position(0, 7, 0)))
                .withMessageContaining("not next");
        String text = token.text();
        String damaged = text.substring(0, 4) + (text.charAt(4) == 'B' ? 'C' : 'B') + text.substring(5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResumeToken.parse(damaged))
                .withMessageContaining("damaged");
        assertThatIllegalArgumentException().isThrownBy(() -> ResumeToken.parse("AQ"));
        assertThatIllegalArgumentException().isThrownBy(() -> ResumeToken.parse("?"));
    }
}
