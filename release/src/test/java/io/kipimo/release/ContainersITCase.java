package io.kipimo.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kipimo.embedded.process.Programs;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Containers really run: the Dockerfile's images in the Compose file, and those that the tests' backends start. Needs
 * root, podman and what else {@code release/containers/build} names; is skipped, with a message, where one is missing.
 */
@Tag("containers")
class ContainersITCase {
    private static final List<String> PROGRAMS =
            List.of("podman", "podman-compose", "crun", "debootstrap", "pip", "unshare");

    private static final Path SCRIPTS = Path.of("containers").toAbsolutePath();

    @BeforeAll
    static void buildTheImages() throws Exception {
        need("root".equals(System.getProperty("user.name")), "only root can run containers here");
        for (String program : PROGRAMS) {
            need(Programs.find(program).isPresent(), "no " + program + " in PATH");
        }
        run("build");
    }

    private static void need(boolean isThere, String message) {
        if (!isThere) {
            System.err.println("SKIPPED: ContainersITCase: " + message);
        }
        assumeTrue(isThere, message);
    }

    private static String run(String script) throws Exception {
        List<String> words = List.of(SCRIPTS.resolve(script).toString());
        Command command = Command.run(SCRIPTS, System.getenv(), words);
        assertThat(command.exitCode())
                .as("%s: %s%s", script, command.out(), command.err())
                .isZero();
        System.out.println(command.out());
        return command.out();
    }

    /** What the load asks is measured and decided on, and again after a kill. */
    @Test
    void theComposeFileMeasuresAndSurvivesTheKillOfATaskManager() throws Exception {
        assertThat(run("run"))
                .containsSubsequence(
                        "waiting for measurements",
                        "\"service\":\"search\"",
                        "waiting for a decision",
                        "\"scope\":\"search/",
                        "killing the TaskManager",
                        "\"service\":\"search\"",
                        "measured after the kill",
                        "Prometheus reads 4 targets",
                        "all containers:");
    }

    @Test
    void kafkaAndRedisOfTheTestsRunInContainers() throws Exception {
        assertThat(run("testcontainers")).containsPattern("Tests run: [1-9]\\d*, Failures: 0, Errors: 0, Skipped: 0");
    }
}
