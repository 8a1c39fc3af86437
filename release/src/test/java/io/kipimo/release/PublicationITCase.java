package io.kipimo.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.embedded.kafka.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The libraries are deployed to a repository of files. A project that knows nothing but this repository and the BOM
 * builds against the SDK, and what it emits is right.
 */
@Tag("full")
class PublicationITCase {
    private static final String VERSION = System.getProperty("kipimo.version");
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    /** Maven parses every module's pom, but compiles only these. */
    private static final List<String> PUBLISHED = List.of("schemas", "controllers/core", "connectors/sdk");

    /** What a service gets with the SDK. A longer list needs a reason. */
    private static final List<String> LIBRARIES = List.of(
            "kipimo-sdk",
            "kipimo-core",
            "kipimo-schemas",
            "protobuf-java",
            "kafka-clients",
            "lz4-java",
            "snappy-java",
            "zstd-jni",
            "slf4j-api",
            "commons-math3",
            "sketches-java",
            "re2j",
            "zero-allocation-hashing");

    @TempDir
    private static Path directory;

    private static Path repository;

    /** Deploys from a copy: the jars of the tree are on this test's class path. */
    @BeforeAll
    static void deploy() throws Exception {
        Path tree = Files.createDirectory(directory.resolve("tree"));
        copy(ROOT, tree);
        repository = directory.resolve("repository");

        List<String> words = maven(
                "-Prelease",
                "-DskipTests",
                "-Dspotless.check.skip=true",
                "-pl",
                "release/bom,connectors/sdk",
                "-am",
                "deploy",
                "-DaltDeploymentRepository=local::" + repository.toUri());
        Command deployed = Command.run(tree, System.getenv(), words);

        assertThat(deployed.exitCode()).as("%s", deployed.out()).isZero();
    }

    private static List<String> maven(String... words) {
        List<String> all = new ArrayList<>(List.of("mvn", "-B", "-ntp"));
        all.addAll(List.of(words));
        return all;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path found, BasicFileAttributes attributes) {
                String name = found.getFileName().toString();
                return name.equals("target") || name.equals(".git")
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path name = from.relativize(file);
                boolean isNeeded = name.endsWith("pom.xml")
                        || name.startsWith(".mvn")
                        || PUBLISHED.stream().anyMatch(name::startsWith);
                if (isNeeded) {
                    Files.createDirectories(to.resolve(name).getParent());
                    Files.copy(file, to.resolve(name));
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static List<String> files(String artifact) throws IOException {
        List<String> files = new ArrayList<>();
        Path place = repository.resolve("io/kipimo/" + artifact + "/" + VERSION);
        try (var all = Files.list(place)) {
            // Snapshots have a time stamp in place of "SNAPSHOT".
            all.map(file -> file.getFileName().toString().replaceFirst("-\\d{8}\\.\\d{6}-1", ""))
                    .map(file -> file.replaceFirst("-" + VERSION.replace("-SNAPSHOT", ""), ""))
                    .filter(file -> file.matches(".*\\.(jar|pom)"))
                    .forEach(files::add);
        }
        return files;
    }

    @Test
    void librariesHaveSourcesAndJavadocAndNoParent() throws Exception {
        for (String artifact : List.of("kipimo-schemas", "kipimo-core", "kipimo-sdk")) {
            assertThat(files(artifact))
                    .contains(
                            artifact + ".jar", artifact + "-sources.jar", artifact + "-javadoc.jar", artifact + ".pom");
        }
        assertThat(files("kipimo-bom")).containsExactly("kipimo-bom.pom");
        assertThat(repository.resolve("io/kipimo/kipimo")).doesNotExist();
    }

    @Test
    void aProjectWithTheBomEmitsAQuery() throws Exception {
        Path project = directory.resolve("first-query");
        Files.createDirectories(project);
        Path example = ROOT.resolve("examples/first-query");
        try (var all = Files.walk(example)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Path copy = project.resolve(example.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        Command built = Command.run(
                project,
                System.getenv(),
                maven(
                        "process-classes",
                        "-Dkipimo.version=" + VERSION,
                        "-Dkipimo.repository=" + repository.toUri(),
                        "-Dmaven.repo.local=" + directory.resolve("local")));
        assertThat(built.exitCode()).as("%s", built.out()).isZero();
        String libraries =
                Files.readString(project.resolve("target/classpath.txt")).strip();
        assertThat(libraries.split(":"))
                .extracting(jar -> Path.of(jar).getFileName().toString())
                .extracting(jar -> jar.replaceFirst("-\\d[-.\\w]*\\.jar$", ""))
                .containsExactlyInAnyOrderElementsOf(LIBRARIES);
        String classPath = project.resolve("target/classes") + ":" + libraries;

        try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
            kipimo("topics", "--create", "--bootstrap-servers=" + kafka.bootstrapServers());
            Path java = Path.of(System.getProperty("java.home"), "bin/java");
            Command run = Command.run(
                    project,
                    Map.of(),
                    List.of(java.toString(), "-cp", classPath, "example.FirstQuery", kafka.bootstrapServers()));
            assertThat(run.exitCode()).as("%s", run).isZero();

            Command conform = kipimo(
                    "conform", "--from-beginning", "--rate=1", "--bootstrap-servers=" + kafka.bootstrapServers());
            assertThat(conform.out()).contains("records of shop", "Nothing is wrong.");
        }
    }

    private static Command kipimo(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(
                ROOT.resolve("release/target/kipimo-" + VERSION + "/bin/kipimo").toString()));
        all.addAll(List.of(words));
        Command command = Command.run(directory, System.getenv(), all);
        assertThat(command.exitCode()).as("%s", command).isZero();
        return command;
    }
}
