package io.kipimo.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Results of all fault tests of this JVM, one row for each fault; a parameter of the tests. After the last test it is
 * printed and written to {@code target/faults.md}.
 */
final class FaultTable implements AutoCloseable {
    private static final Path FILE = Path.of("target", "faults.md");

    private final List<Row> rows = new ArrayList<>();

    /**
     * One fault and its effect.
     *
     * @param injected number of injections
     * @param verdict on the rows; empty if the test has none
     * @param invalidDecisions number of invalid decisions that were applied; empty if there were no decisions
     * @param recoverySeconds longest time from the end of a fault until input sent after it was processed
     */
    record Row(
            String fault,
            long injected,
            Optional<QualityRun.Verdict> verdict,
            OptionalLong invalidDecisions,
            double recoverySeconds) {
        String markdown() {
            return String.format(
                    Locale.ROOT,
                    "| %s | %d | %s | %s | %.1f |",
                    fault,
                    injected,
                    verdict.map(v -> v.lost() + " | " + v.doubled() + " | " + v.differing() + " | " + v.miscounted())
                            .orElse(" | | | "),
                    invalidDecisions.isPresent() ? invalidDecisions.getAsLong() : "",
                    recoverySeconds);
        }
    }

    void add(Row row) {
        rows.add(row);
        System.out.println("faults: " + row);
    }

    @Override
    public void close() {
        StringBuilder table = new StringBuilder("""
                        | fault | injected | lost | doubled | rows unlike the oracle's | miscounted | invalid decisions applied | longest recovery, s |
                        |---|---|---|---|---|---|---|---|
                        """);
        rows.forEach(row -> table.append(row.markdown()).append('\n'));
        System.out.println(table);
        try {
            Files.writeString(FILE, table);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Passes the JVM's single table to every test. */
    static final class Extension implements ParameterResolver {
        private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(FaultTable.class);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == FaultTable.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(NAMESPACE)
                    .getOrComputeIfAbsent(FaultTable.class, key -> new FaultTable(), FaultTable.class);
        }
    }
}
