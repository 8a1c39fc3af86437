package io.kipimo.schemas.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecordFieldsTest {
    public record Part(@Name String name, @Range(most = 1) double share) {}

    public record Whole(
            @Range(least = 1, mostOf = "longestMillis") long shortestMillis,
            @Range(most = 1000) long longestMillis,
            @Range(least = 1, most = 9) List<Integer> factors,
            List<Part> parts,
            Optional<Part> best,
            int count) {}

    private static final RecordFields<Whole> WHOLE = RecordFields.of(Whole.class);

    @Test
    void namesAreThoseOfDocuments() {
        assertThat(WHOLE.all().stream().map(RecordField::name))
                .containsExactly("shortest_millis", "longest_millis", "factors", "parts", "best", "count");
        assertThat(WHOLE.named("shortest_millis").component()).isEqualTo("shortestMillis");
        assertThatThrownBy(() -> WHOLE.named("shortestMillis")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFieldThatBoundsAnotherComesFirst() {
        assertThat(WHOLE.order()).containsExactly(1, 0, 2, 3, 4, 5);
        Object[] values = {null, 20L, List.of(), List.of(), Optional.empty(), 0};
        assertThat(WHOLE.bounds(0, values)).isEqualTo(new FieldBounds(1, 20));
        assertThat(WHOLE.bounds(5, values)).isEqualTo(new FieldBounds(0, Integer.MAX_VALUE));
    }

    @Test
    void allNumbersOutOfRangeAreNamed() {
        Whole bad = new Whole(
                30,
                20,
                List.of(1, 10),
                List.of(new Part("a", 1), new Part("b", Double.NaN)),
                Optional.of(new Part("c", 2)),
                -1);
        assertThat(RecordFields.problems(bad))
                .containsExactly(
                        "shortest_millis is 30; allowed: 1..20",
                        "factors is 10; allowed: 1..9",
                        "parts.b.share is NaN; allowed: 0.0..1.0",
                        "best.share is 2.0; allowed: 0.0..1.0",
                        "count is -1; allowed: 0.." + Integer.MAX_VALUE);
    }

    @Test
    void largeWholeNumbersAreToldApart() {
        FieldBounds counts = new FieldBounds(0, Range.LARGEST_COUNT);
        assertThat(counts.admits(1L << 53)).isTrue();
        assertThat(counts.admits((1L << 53) + 1)).isFalse();
        assertThat(counts.admits(-1)).isFalse();
    }

    public record Core(
            @Range(
                    most = 1L << 62,
                    mostOf = {"served", "available"})
            long busy,

            @Range(most = 1L << 62) long served,
            @Range(most = 1L << 62, leastOf = "least") long available,
            long least) {}

    @Test
    void aFieldMayHaveSeveralBoundsWhichAreExact() {
        RecordFields<Core> core = RecordFields.of(Core.class);
        assertThat(core.order()).containsExactly(1, 3, 2, 0);
        // No double is between these two.
        long available = 124_787_107_297_474_100L;
        assertThat((double) available).isEqualTo((double) (available - 1));
        Object[] values = {null, 1L << 60, available, 0L};
        FieldBounds busy = core.bounds(0, values);
        assertThat(busy.admits(available)).isTrue();
        assertThat(busy.admits(available + 1)).isFalse();
        assertThat(busy.refusal("busy", -1L)).isEqualTo("busy is -1; allowed: 0..124787107297474100");
    }

    @Test
    void aRecordIsMadeOfItsValues() {
        Whole whole = new Whole(1, 2, List.of(3), List.of(new Part("a", 0.5)), Optional.empty(), 4);
        assertThat(WHOLE.create(WHOLE.values(whole))).isEqualTo(whole);
        assertThat(RecordFields.problems(whole)).isEmpty();
    }
}
