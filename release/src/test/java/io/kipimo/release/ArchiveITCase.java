package io.kipimo.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.embedded.process.Programs;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive runs with an empty home, from a directory with a blank in its name, with Java and a few programs in the
 * path. Maven is not among them.
 */
class ArchiveITCase {
    private static final String VERSION = System.getProperty("kipimo.version");
    private static final Path ARCHIVE =
            Path.of("target", "kipimo-" + VERSION + ".tar.gz").toAbsolutePath();

    /** A link to a file; one with a colon goes to another site. */
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:\\s]+)(?:#[^)]*)?\\)");

    private static final List<String> PROGRAMS = List.of("bash", "cat", "dirname", "env", "head", "readlink", "sed");

    @TempDir
    private static Path directory;

    private static Path top;
    private static Path home;
    private static Map<String, String> environment;

    @BeforeAll
    static void unpack() throws Exception {
        Path parent = Files.createDirectory(directory.resolve("with blank"));
        List<String> tar = List.of("tar", "xzf", ARCHIVE.toString());
        assertThat(Command.run(parent, System.getenv(), tar).exitCode()).isZero();
        top = parent.resolve("kipimo-" + VERSION);
        home = Files.createDirectory(directory.resolve("home"));
        Path programs = Files.createDirectory(directory.resolve("programs"));
        for (String program : PROGRAMS) {
            Files.createSymbolicLink(
                    programs.resolve(program), Programs.find(program).orElseThrow());
        }
        environment = Map.of(
                "PATH", programs.toString(),
                "HOME", home.toString(),
                "JAVA_HOME", System.getProperty("java.home"));
    }

    private static Command kipimo(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(top.resolve("bin/kipimo").toString()));
        all.addAll(List.of(words));
        return Command.run(home, environment, all);
    }

    @Test
    void theVersionIsThatOfTheArchive() throws Exception {
        assertThat(kipimo("--version")).isEqualTo(new Command(0, "kipimo " + VERSION + "\n", ""));
    }

    @Test
    void theFirstCommandLeavesItsClassesForTheNextOnes() throws Exception {
        Command first = kipimo("policy", "example");

        assertThat(first.exitCode()).isZero();
        assertThat(names("policy-java-*.jsa")).hasSize(1);
        assertThat(kipimo("policy", "example")).isEqualTo(first);
    }

    @Test
    void helpNamesTheCommands() throws Exception {
        Command help = kipimo("--help");

        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("Usage: kipimo COMMAND", "\n  demo ", "\n  gateway ");
    }

    @Test
    void aCommandThroughALinkReadsFilesOfTheCallersDirectory() throws Exception {
        Files.writeString(home.resolve("part.run"), "q1 Q0 d1 1 4.0 part\n");
        Files.writeString(home.resolve("all.run"), "q1 Q0 d1 1 4.0 all\nq1 Q0 d2 2 3.0 all\n");
        Path link = Files.createSymbolicLink(home.resolve("link"), top.resolve("bin/kipimo"));

        Command score = Command.run(
                home,
                environment,
                List.of(
                        link.toString(),
                        "score",
                        "--json",
                        "--metrics=tpr@2",
                        "--online=part.run",
                        "--mature=all.run"));

        assertThat(score.exitCode()).as("%s", score).isZero();
        assertThat(new ObjectMapper().readTree(score.out()).at("/mean/tpr@2").doubleValue())
                .isEqualTo(0.5);
    }

    @Test
    void usersOwnClassesAreAddedAndMissingOnesRefused() throws Exception {
        Map<String, String> withExtra = new HashMap<>(environment);
        withExtra.put("KIPIMO_EXTRA_CLASSPATH", "no/such.jar");
        List<String> words = List.of(top.resolve("bin/kipimo").toString(), "policy", "example");

        assertThat(Command.run(home, withExtra, words))
                .isEqualTo(new Command(
                        2,
                        "",
                        "kipimo: KIPIMO_EXTRA_CLASSPATH has 'no/such.jar'; allowed: jars,"
                                + " directories of classes, and DIR/* for the jars in it"
                                + "\n"));

        Path services = Files.createDirectories(home.resolve("own/META-INF/services"));
        Files.writeString(services.resolve("io.kipimo.core.quality.similarity.SimilarityProvider"), "outside.Missing");
        withExtra.put("KIPIMO_EXTRA_CLASSPATH", home.resolve("own").toString());
        Command score = Command.run(
                home, withExtra, List.of(words.get(0), "score", "--metrics=own@1", "--online=own", "--mature=own"));

        assertThat(score.exitCode()).as("%s", score).isEqualTo(2);
        assertThat(score.err()).contains("own@1", "outside.Missing");
    }

    /** The other tests' commands have one more class path. */
    @Test
    void everyMainClassIsInItsClassPath() throws Exception {
        for (String command : List.of("demo", "local", "soak")) {
            Command help = kipimo(command, "--help");

            assertThat(help.exitCode()).as("%s", help).isZero();
            assertThat(help.out()).contains("Usage: kipimo " + command);
        }
    }

    /** The cluster is missing, the job jar is not. */
    @Test
    void theJobJarIsFound() throws Exception {
        Command submit =
                kipimo("submit", "quality", "--rest=http://127.0.0.1:1", "-Dkafka.bootstrap-servers=127.0.0.1:1");

        assertThat(submit.exitCode()).isNotZero();
        assertThat(submit.err()).contains("127.0.0.1:1").doesNotContain("job.jar");
    }

    @Test
    void whatNeedsTheSourcesIsRefused() throws Exception {
        assertThat(kipimo("bench"))
                .isEqualTo(new Command(2, "", "kipimo: 'bench' is not part of a release; run it in the source tree\n"));
    }

    @Test
    void manPagesCompletionsAndLicencesAreThere() throws Exception {
        assertThat(Files.readString(top.resolve("share/man/man1/kipimo-gate.1")))
                .startsWith(".TH \"KIPIMO-GATE\"");
        assertThat(Files.readString(top.resolve("share/bash-completion/completions/kipimo")))
                .contains("complete -F _complete_kipimo");
        assertThat(top.resolve("LICENSE")).isNotEmptyFile();
        assertThat(top.resolve("NOTICE")).isNotEmptyFile();
    }

    @Test
    void everyLinkOfAPageLeadsSomewhere() throws Exception {
        List<String> broken = new ArrayList<>();
        try (Stream<Path> files = Files.walk(top)) {
            for (Path page :
                    files.filter(file -> file.toString().endsWith(".md")).toList()) {
                Matcher link = LINK.matcher(Files.readString(page));
                while (link.find()) {
                    if (!Files.exists(page.resolveSibling(link.group(1)))) {
                        broken.add(top.relativize(page) + " -> " + link.group(1));
                    }
                }
            }
        }

        assertThat(broken).isEmpty();
        assertThat(top.resolve("clients/python/README.md")).isNotEmptyFile();
    }

    @Test
    void everyJarIsThereOnceAndUsed() throws Exception {
        List<String> jars = names("*.jar");
        List<String> used = new ArrayList<>();
        for (String classPath : names("*.classpath")) {
            used.addAll(Files.readAllLines(top.resolve("lib").resolve(classPath)));
        }
        used.add("kipimo-streaming-" + VERSION + "-job.jar");

        assertThat(jars).containsExactlyInAnyOrderElementsOf(Set.copyOf(used));
        assertThat(jars)
                .extracting(jar -> jar.replaceFirst("-\\d[-.\\w]*?((-[a-z]\\w+)?\\.jar)$", "$1"))
                .doesNotHaveDuplicates();
    }

    /** The licence report allows them to nobody but benchmarks; see {@code .ci/licences.py}. */
    @Test
    void librariesOfBenchmarksAndTestsAreNotThere() throws Exception {
        assertThat(names("*.jar"))
                .isNotEmpty()
                .noneMatch(jar -> jar.matches("(jmh|testcontainers|docker-java|jqwik|junit)-.*"));
    }

    private static List<String> names(String glob) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(top.resolve("lib"), glob)) {
            files.forEach(file -> names.add(file.getFileName().toString()));
        }
        return names;
    }

    @Test
    void theChecksumIsThatOfTheArchive() throws Exception {
        String name = ARCHIVE.getFileName().toString();
        List<String> check = List.of("sha256sum", "--check", "--strict", name + ".sha256");

        assertThat(Command.run(ARCHIVE.getParent(), System.getenv(), check))
                .isEqualTo(new Command(0, name + ": OK\n", ""));
    }
}
