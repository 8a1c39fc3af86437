package io.kipimo.endtoend.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.jobs.submission.KipimoJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.junit.jupiter.api.Test;

/**
 * The page that lists what a savepoint holds. It is made of the kept savepoints, which every later version restores
 * ({@link UpgradeITCase}).
 */
class StateDocsTest {
    private static final Path PAGE = Path.of("../../docs/state.md");
    private static final Path GOLDEN = Path.of("src/test/resources/savepoints");

    /** Flink derives these uids from those of sinks. */
    private static final String COMMITTER = "Sink Committer: ";

    private static final String INTRODUCTION = """
            # State of the jobs

            Generated from savepoints of this version; a test fails when this page is stale. A restore finds state by uid and name, so
            neither ever changes, nor does the maximum parallelism. An operator without a name in the last column keeps nothing. With
            `join.path: LOCAL` the quality job has `local-query-join` and `stray-events-sink` in place of `query-join`,
            `query-events-separation` and `event-time-of-observations`. What the state is, and what bounds it, is in
            [architecture.md](architecture.md#state).
            """;

    @Test
    void thePageListsTheStateOfEveryJob() throws Exception {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        for (KipimoJob job : KipimoJob.values()) {
            page.append("\n## ").append(job.jobName()).append("\n\n");
            page.append("| uid | maximum parallelism | state |\n|---|---|---|\n");
            rows(newest().resolve(job.jobName())).values().forEach(page::append);
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

    private static Map<String, String> rows(Path savepoint) throws Exception {
        Map<String, TreeSet<String>> names = new TreeMap<>();
        for (String line : SavepointStates.of(savepoint)) {
            String[] words = line.split(" ");
            if (words[1].equals("has")) {
                names.computeIfAbsent(words[0], uid -> new TreeSet<>()).add("`" + words[2] + "`");
            }
        }
        Map<String, String> rows = new TreeMap<>();
        for (OperatorState operator : SavepointStates.operators(savepoint)) {
            String uid = operator.getOperatorUid().orElseThrow();
            if (uid.startsWith(COMMITTER)) {
                continue;
            }
            rows.put(
                    uid,
                    "| `"
                            + uid
                            + "` | "
                            + operator.getMaxParallelism()
                            + " | "
                            + names.getOrDefault(uid, new TreeSet<>()).stream().collect(Collectors.joining(", "))
                            + " |\n");
        }
        return rows;
    }
}
