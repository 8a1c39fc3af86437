package io.kipimo.core.quality.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.UniqueElements;

class RankingPropertyTest {
    @Property(seed = "21")
    void ranksAreFoundById(@ForAll @UniqueElements @Size(max = 200) List<Long> ids, @ForAll long other) {
        Ranking ranking = Ranking.of(ids.stream().mapToLong(Long::longValue).toArray());
        assertThat(ranking.size()).isEqualTo(ids.size());
        for (int rank = 0; rank < ids.size(); rank++) {
            assertThat(ranking.id(rank)).isEqualTo(ids.get(rank));
            assertThat(ranking.rankOf(ids.get(rank))).isEqualTo(rank);
            assertThat(ranking.hasInTop(ids.get(rank), rank + 1)).isTrue();
            assertThat(ranking.hasInTop(ids.get(rank), rank)).isFalse();
        }
        assertThat(ranking.rankOf(other)).isEqualTo(ids.indexOf(other));
        assertThat(ranking.contains(other)).isEqualTo(ids.contains(other));
    }

    @Property(tries = 300, seed = "22")
    void anItemThatIsThereTwiceIsRefused(@ForAll @NotEmpty @UniqueElements @Size(max = 40) List<Long> ids) {
        long[] twice = new long[ids.size() + 1];
        for (int i = 0; i < ids.size(); i++) {
            twice[i] = ids.get(i);
        }
        twice[ids.size()] = ids.get(ids.size() / 2);
        assertThatIllegalArgumentException().isThrownBy(() -> Ranking.of(twice)).withMessageContaining("twice");
    }
}
