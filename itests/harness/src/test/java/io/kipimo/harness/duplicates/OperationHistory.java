package io.kipimo.harness.duplicates;

import io.kipimo.harness.duplicates.Operation.Kind;
import io.kipimo.harness.duplicates.Operation.Seen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks a history against a model: one store that applies all writes in the order of their tickets.
 *
 * <ul>
 *   <li>Writes: each finds what the write before it left. So no write is lost, applied twice, or applied to another
 *       key. A write that began after another had ended has a higher ticket.
 *   <li>Reads: each shows exactly the writes up to its ticket.
 *   <li>Sessions: no session goes back in the order; each reads its own writes.
 * </ul>
 *
 * These are linearizable writes and sequentially consistent reads, with the tickets as witness. A write without a
 * response counts as applied if any operation saw its value.
 */
public final class OperationHistory {
    private final List<Operation> operations;
    private final Map<String, Operation> writers = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    private OperationHistory(List<Operation> operations) {
        this.operations = operations;
    }

    /** The violations, in words; empty if there are none. */
    public static List<String> violations(List<Operation> operations) {
        OperationHistory history = new OperationHistory(operations);
        history.findWriters();
        history.checkSessions();
        history.checkRealTime();
        history.checkStates();
        return List.copyOf(history.violations);
    }

    private void findWriters() {
        for (Operation operation : operations) {
            operation.value().ifPresent(value -> {
                if (writers.put(value, operation) != null) {
                    throw new IllegalArgumentException("'" + value + "' is written twice; allowed: once");
                }
            });
        }
    }

    private void checkSessions() {
        Map<String, Operation> last = new HashMap<>();
        operations.stream()
                .filter(Operation::isKnown)
                .sorted(Comparator.comparingLong(Operation::startNanos))
                .forEach(now -> {
                    Operation before = last.put(now.session(), now);
                    if (before == null) {
                        return;
                    }
                    long step = ticket(now) - ticket(before);
                    if (step < 0 || (step == 0 && !now.isRead())) {
                        violations.add("session goes back: " + before + " then " + now);
                    }
                });
    }

    private void checkRealTime() {
        List<Operation> byEnd = knownWrites().stream()
                .sorted(Comparator.comparingLong(Operation::endNanos))
                .toList();
        List<Operation> byStart = knownWrites().stream()
                .sorted(Comparator.comparingLong(Operation::startNanos))
                .toList();
        int ended = 0;
        Operation latest = null;
        for (Operation write : byStart) {
            while (ended < byEnd.size() && byEnd.get(ended).endNanos() < write.startNanos()) {
                Operation candidate = byEnd.get(ended++);
                latest = latest == null || ticket(candidate) > ticket(latest) ? candidate : latest;
            }
            if (latest != null && ticket(latest) >= ticket(write)) {
                violations.add("reordered: " + latest + " ended before " + write + " began");
            }
        }
    }

    /** Replays each key's writes in ticket order and compares every operation with the state. */
    private void checkStates() {
        Map<String, NavigableMap<Long, Operation>> writes = new HashMap<>();
        for (Operation write : knownWrites()) {
            place(writes, write, ticket(write));
        }
        for (Operation operation : operations) {
            operation.seen().ifPresent(seen -> placeUnanswered(writes, operation, seen));
        }
        Map<String, NavigableMap<Long, Optional<Seen>>> states = new HashMap<>();
        writes.forEach((key, ordered) -> states.put(key, states(ordered)));
        for (Operation operation : operations) {
            if (operation.isKnown()) {
                check(states.getOrDefault(operation.key(), new TreeMap<>()), operation);
            }
        }
    }

    private void place(Map<String, NavigableMap<Long, Operation>> writes, Operation write, long ticket) {
        Operation other =
                writes.computeIfAbsent(write.key(), k -> new TreeMap<>()).put(ticket, write);
        if (other != null && !other.equals(write)) {
            violations.add("one ticket for two: " + other + " and " + write);
        }
    }

    private void placeUnanswered(Map<String, NavigableMap<Long, Operation>> writes, Operation witness, Seen seen) {
        Operation writer = writers.get(seen.value());
        if (writer == null || !writer.key().equals(witness.key())) {
            violations.add("value was never written: " + witness);
        } else if (writer.startNanos() > witness.endNanos()) {
            violations.add("before it was written: " + witness);
        } else if (writer.isKnown()) {
            if (ticket(writer) != seen.ticket()) {
                violations.add("another ticket: " + writer + " seen by " + witness);
            }
        } else {
            place(writes, writer, seen.ticket());
        }
    }

    private NavigableMap<Long, Optional<Seen>> states(NavigableMap<Long, Operation> ordered) {
        NavigableMap<Long, Optional<Seen>> states = new TreeMap<>();
        Optional<Seen> state = Optional.empty();
        for (Map.Entry<Long, Operation> entry : ordered.entrySet()) {
            Operation write = entry.getValue();
            boolean applies =
                    switch (write.kind()) {
                        case PUT -> true;
                        // A write without a response is placed only if its value was seen, so it
                        // was applied.
                        case CREATE -> !write.isKnown() || state.isEmpty();
                        case DELETE -> state.isPresent() || vanished(write, state);
                        case READ -> throw new IllegalStateException("no write: " + write);
                    };
            if (write.isKnown() && applies != write.applied()) {
                if (!vanished(write, state)) {
                    violations.add("unexpected outcome: " + write);
                }
                applies = write.applied();
            }
            if (applies) {
                state = write.value().map(value -> new Seen(value, entry.getKey()));
            }
            states.put(entry.getKey(), state);
        }
        return states;
    }

    private void check(NavigableMap<Long, Optional<Seen>> states, Operation operation) {
        long upTo = operation.isRead() ? ticket(operation) : ticket(operation) - 1;
        Map.Entry<Long, Optional<Seen>> last = states.floorEntry(upTo);
        Optional<Seen> expected = last == null ? Optional.empty() : last.getValue();
        if (!Objects.equals(expected, operation.seen()) && !vanished(operation, expected)) {
            violations.add("expected " + expected + ": " + operation);
        }
    }

    /** Whether an unanswered deletion explains that the key is absent. No operation can see such a deletion itself. */
    private boolean vanished(Operation operation, Optional<Seen> expected) {
        return expected.isPresent()
                && operation.seen().isEmpty()
                && operations.stream()
                        .anyMatch(other -> other.kind() == Kind.DELETE
                                && !other.isKnown()
                                && other.key().equals(operation.key())
                                && other.startNanos() < operation.endNanos());
    }

    private List<Operation> knownWrites() {
        return operations.stream().filter(o -> !o.isRead() && o.isKnown()).toList();
    }

    private static long ticket(Operation operation) {
        return operation.ticket().orElseThrow();
    }
}
