package io.kipimo.core.quality.join;

import static io.kipimo.core.quality.join.Events.START;
import static io.kipimo.core.quality.join.Events.partial;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.merge.TrecOrder;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Phase;
import org.junit.jupiter.api.Test;

class PartsTest {
    private static final float[] MIXED = {1, 3, 2};

    private static Parts partsOf(Items online, Items late) {
        OpenQuery query = new OpenQuery();
        query.take(partial("a", Phase.ONLINE, START + 10, online));
        query.take(partial("b", Phase.MATURE, START + 200, late));
        return Parts.of(query);
    }

    @Test
    void partsAreRankedWhateverTheOrderThatComponentsSent() {
        Parts parts =
                partsOf(
                        Items.ofNumbers(new long[] {1, 2, 3}, MIXED),
                        Items.ofTexts(new String[] {"x", "y", "z"}, MIXED));

        assertThat(parts.withAllLate())
                .hasSize(2)
                .extracting(Part::items)
                .allSatisfy(items -> assertThat(TrecOrder.ranked(items)).isSameAs(items));
    }
}
