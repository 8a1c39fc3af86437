package io.kipimo.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The images are built and the Compose file runs: what its load asks is measured, also after its
 * TaskManager was killed.
 */
@Tag("containers")
class ContainersITCase {
    @Test
    void theComposeFileMeasuresAndSurvivesAKill() throws Exception {
        Path directory = Path.of("containers").toAbsolutePath();

        Command run =
                Command.run(
                        directory, System.getenv(), List.of(directory.resolve("run").toString()));

        System.out.println(run.out());
        assertThat(run.exitCode()).as("%s", run).isZero();
        assertThat(run.out()).contains("\"queryId\"", "killing the TaskManager", "all containers:");
    }
}
