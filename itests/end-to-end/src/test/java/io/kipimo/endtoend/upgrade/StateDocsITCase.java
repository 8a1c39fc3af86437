package io.kipimo.endtoend.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.submission.KipimoJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.junit.jupiter.api.Test;

/**
 * The page that lists what a savepoint holds. It is made of the kept savepoints, which every later version restores
 * ({@link UpgradeITCase}).
 */
class StateDocsITCase {
    private static final Path PAGE = Path.of("../../docs/state.md");
    private static final Path GOLDEN = Path.of("src/test/resources/savepoints");

    /** Flink derives these uids from those of sinks. */
    private static final String COMMITTER = "Sink Committer: ";

    private static final String INTRODUCTION = """
            # State of the jobs

            Generated from savepoints of this version; a test fails when this page is stale. A restore finds state by uid and name, so
            neither ever changes, nor does the maximum parallelism, which is %d everywhere. Operators of a row have the same state; without
            a name in the last column they keep nothing. What the state is, and what bounds it, is in
            [architecture.md](architecture.md#state).
            """;

    @Test
    void thePageListsTheStateOfEveryJob() throws Exception {
        StringBuilder page = new StringBuilder(INTRODUCTION.formatted(JobEnvironment.MAXIMUM_PARALLELISM));
        for (KipimoJob job : KipimoJob.values()) {
            page.append("\n## ").append(job.jobName()).append("\n\n");
            page.append("| uid | state |\n|---|---|\n");
            uidsByStates(newest().resolve(job.jobName())).forEach((states, uids) -> page.append("| ")
                    .append(String.join(", ", uids))
                    .append(" | ")
                    .append(states)
                    .append(" |\n"));
        }
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(PAGE, page.toString());
        }

        assertThat(PAGE).as("write it anew with -Ddocs.write=true").hasContent(page.toString());
    }

    private static Path newest() throws Exception {
        try (Stream<Path> versions = Files.list(GOLDEN)) {
            return versions.sorted().reduce((older, newer) -> newer).orElseThrow();
        }
    }

    /** The states of an operator as text, and the uids that have them, both in alphabetical order. */
    private static Map<String, List<String>> uidsByStates(Path savepoint) throws Exception {
        Map<String, TreeSet<String>> names = new TreeMap<>();
        for (OperatorState operator : SavepointStates.operators(savepoint)) {
            String uid = operator.getOperatorUid().orElseThrow();
            if (!uid.startsWith(COMMITTER)) {
                assertThat(operator.getMaxParallelism()).as(uid).isEqualTo(JobEnvironment.MAXIMUM_PARALLELISM);
                names.put(uid, new TreeSet<>());
            }
        }
        for (String line : SavepointStates.of(savepoint)) {
            String[] words = line.split(" ");
            if (words[1].equals("has") && names.containsKey(words[0])) {
                names.get(words[0]).add("`" + words[2] + "`");
            }
        }
        Map<String, List<String>> uids = new TreeMap<>();
        names.forEach((uid, states) -> uids.computeIfAbsent(String.join(", ", states), of -> new ArrayList<>())
                .add("`" + uid + "`"));
        return uids;
    }
}
