package io.kipimo.harness.duplicates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.harness.duplicates.Operation.Kind;
import io.kipimo.harness.duplicates.Operation.Seen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OperationHistoryTest {
    private static Operation put(String session, long at, String value, long ticket, Seen before) {
        return OperationBuilder.builder()
                .session(session)
                .startNanos(at)
                .endNanos(at + 5)
                .kind(Kind.PUT)
                .key("k")
                .value(Optional.of(value))
                .ticket(OptionalLong.of(ticket))
                .applied(true)
                .seen(Optional.ofNullable(before))
                .build();
    }

    private static Operation unanswered(long at, Kind kind, String value) {
        return OperationBuilder.builder()
                .session("lost")
                .startNanos(at)
                .endNanos(at + 5)
                .kind(kind)
                .key("k")
                .value(Optional.ofNullable(value))
                .build();
    }

    private static Operation read(String session, long at, long ticket, Seen seen) {
        return OperationBuilder.builder()
                .session(session)
                .startNanos(at)
                .endNanos(at + 5)
                .kind(Kind.READ)
                .key("k")
                .ticket(OptionalLong.of(ticket))
                .applied(true)
                .seen(Optional.ofNullable(seen))
                .build();
    }

    private static List<String> violations(Operation... operations) {
        return OperationHistory.violations(List.of(operations));
    }

    @Test
    void oneStoreAfterTheOtherIsFine() {
        assertThat(violations(
                        put("a", 0, "x", 0, null),
                        put("b", 10, "y", 1, new Seen("x", 0)),
                        read("b", 20, 1, new Seen("y", 1)),
                        // Another session may lag behind.
                        read("c", 30, 0, new Seen("x", 0))))
                .isEmpty();
    }

    @Test
    void aLostWriteIsFound() {
        assertThat(violations(
                        put("a", 0, "x", 0, null),
                        put("a", 10, "y", 1, new Seen("x", 0)),
                        put("a", 20, "z", 2, new Seen("x", 0))))
                .singleElement()
                .asString()
                .startsWith("expected");
    }

    @Test
    void aWriteThatIsLostAtTheEndIsFoundByARead() {
        assertThat(violations(
                        put("a", 0, "x", 0, null),
                        put("a", 10, "y", 1, new Seen("x", 0)),
                        read("b", 20, 1, new Seen("x", 0))))
                .hasSize(1);
    }

    @Test
    void reorderedWritesAreFound() {
        assertThat(violations(put("a", 0, "x", 1, new Seen("y", 0)), put("b", 10, "y", 0, null)))
                .anyMatch(v -> v.startsWith("reordered"))
                .anyMatch(v -> v.startsWith("before it was written"));
    }

    @Test
    void aSessionThatGoesBackIsFound() {
        assertThat(violations(
                        put("a", 0, "x", 0, null),
                        put("a", 10, "y", 1, new Seen("x", 0)),
                        read("a", 20, 0, new Seen("x", 0))))
                .singleElement()
                .asString()
                .startsWith("session goes back");
    }

    @Test
    void aValueOutOfNowhereAndATicketForTwoAreFound() {
        assertThat(violations(read("a", 0, 3, new Seen("x", 3))))
                .anyMatch(v -> v.startsWith("value was never written"));
        assertThat(violations(put("a", 0, "x", 0, null), put("b", 2, "y", 0, null)))
                .anyMatch(v -> v.startsWith("one ticket for two"));
    }

    @Test
    void aWriteWithoutAnAnswerMayOrMayNotHaveHappened() {
        Operation lost = unanswered(10, Kind.PUT, "y");
        assertThat(violations(put("a", 0, "x", 0, null), lost)).isEmpty();
        assertThat(violations(
                        put("a", 0, "x", 0, null),
                        lost,
                        put("a", 20, "z", 2, new Seen("y", 1)),
                        read("b", 30, 2, new Seen("z", 2))))
                .isEmpty();
        assertThat(violations(put("a", 0, "x", 0, null), unanswered(10, Kind.DELETE, null), put("a", 20, "z", 2, null)))
                .isEmpty();
    }

    @Test
    void aValueIsWrittenOnce() {
        assertThatThrownBy(() -> violations(put("a", 0, "x", 0, null), put("a", 10, "x", 1, null)))
                .hasMessageContaining("'x' is written twice");
    }

    /** A random history of a real store has no violation; with two writes swapped it has one. */
    @Test
    void whateverAStoreDoesIsFineAndASwapIsNot() {
        for (int seed = 0; seed < 200; seed++) {
            List<Operation> fine = random(new Random(seed));
            assertThat(OperationHistory.violations(fine)).as("seed %d", seed).isEmpty();
            assertThat(OperationHistory.violations(swapped(fine)))
                    .as("seed %d", seed)
                    .isNotEmpty();
        }
    }

    private static List<Operation> random(Random random) {
        Map<String, Seen> store = new HashMap<>();
        List<Operation> operations = new ArrayList<>();
        long ticket = -1;
        for (int i = 0; i < 50; i++) {
            String key = "k" + random.nextInt(3);
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            Optional<Seen> before = Optional.ofNullable(store.get(key));
            boolean writes = kind == Kind.PUT || kind == Kind.CREATE;
            boolean applied =
                    switch (kind) {
                        case PUT, READ -> true;
                        case CREATE -> before.isEmpty();
                        case DELETE -> before.isPresent();
                    };
            if (kind != Kind.READ) {
                ticket++;
            }
            if (applied && writes) {
                store.put(key, new Seen("v" + i, ticket));
            } else if (applied && kind == Kind.DELETE) {
                store.remove(key);
            }
            operations.add(OperationBuilder.builder()
                    .session("s" + random.nextInt(3))
                    .startNanos(10L * i)
                    .endNanos(10L * i + 5)
                    .kind(kind)
                    .key(key)
                    .value(writes ? Optional.of("v" + i) : Optional.empty())
                    .ticket(OptionalLong.of(ticket))
                    .applied(applied)
                    .seen(before)
                    .build());
        }
        return operations;
    }

    /** Swaps the tickets of the first two writes. */
    private static List<Operation> swapped(List<Operation> operations) {
        List<Operation> swapped = new ArrayList<>(operations);
        List<Integer> writes = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            if (!operations.get(i).isRead()) {
                writes.add(i);
            }
        }
        int one = writes.get(0);
        int other = writes.get(1);
        swapped.set(one, with(operations.get(one), operations.get(other).ticket()));
        swapped.set(other, with(operations.get(other), operations.get(one).ticket()));
        return swapped;
    }

    private static Operation with(Operation o, OptionalLong ticket) {
        return OperationBuilder.builder(o).ticket(ticket).build();
    }
}
