package io.kipimo.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.kipimo.cli.Main;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks the dependencies between modules, that core is free of engines and clocks, and that packages have
 * documentation.
 */
@AnalyzeClasses(
        packages = "io.kipimo",
        importOptions = {
            ImportOption.DoNotIncludeTests.class,
            ArchitectureTest.DoNotIncludeTestJars.class,
            ArchitectureTest.DoNotIncludeGeneratedMessages.class
        })
class ArchitectureTest {
    private static final String INTERNALS = "src/test/resources/flink-internals.txt";

    private static final Set<String> PACKAGES_OF_INTERNALS =
            Set.of("io.kipimo.operators.flink", "io.kipimo.kafka", "io.kipimo.jobs.flink", "io.kipimo.embedded.flink");

    /** By name, as far as they were asked for. */
    private static final Map<String, Boolean> INTERNAL = new ConcurrentHashMap<>();

    /** What each operator or sink sees: its records, its clock, its task, its metrics. */
    private static final Set<String> INTERFACE_OF_OPERATORS = Stream.of(
                    "streaming.runtime.streamrecord.StreamRecord",
                    "streaming.runtime.watermarkstatus.WatermarkStatus",
                    "streaming.runtime.tasks.ProcessingTimeService",
                    "streaming.runtime.tasks.StreamTask",
                    "streaming.api.operators.StreamingRuntimeContext",
                    "runtime.execution.Environment",
                    "runtime.state.KeyedStateBackend",
                    "runtime.metrics.DescriptiveStatisticsHistogram")
            .map(name -> "org.apache.flink." + name)
            .collect(Collectors.toUnmodifiableSet());

    /** Benchmarks are in the test sources of the modules that they measure. */
    static final class DoNotIncludeTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    /** They use Protocol Buffers alone, and are a third of the work. */
    static final class DoNotIncludeGeneratedMessages implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/io/kipimo/schemas/wire/");
        }
    }

    private static final String BELOW_THE_COMMAND_LINE = "schemas core simulator operators sdk redis kafka http caching"
            + " console loadgen gateway otlp duplicates balancers envoy jobs";
    private static final String PRODUCT = BELOW_THE_COMMAND_LINE + " cli embedded local";
    private static final String LABS = "labs.reproductions labs.social labs.commands";

    /**
     * The package of each layer, with those of the layers that its classes may use. What users run knows neither labs
     * nor tests: their commands register themselves with the command line.
     */
    private static final Map<String, String> LAYERS = Map.ofEntries(
            entry("testing", ""),
            entry("schemas", ""),
            entry("core", "schemas"),
            entry("simulator", "schemas core"),
            entry("operators", "schemas core"),
            entry("sdk", "schemas core"),
            entry("redis", "schemas core"),
            entry("kafka", "schemas core sdk operators"),
            entry("http", "schemas core sdk"),
            entry("caching", "schemas core sdk http"),
            entry("console", "schemas core sdk http"),
            entry("loadgen", "schemas core sdk"),
            entry("gateway", "schemas core sdk redis http"),
            entry("otlp", "schemas core sdk http"),
            entry("duplicates", "schemas core sdk redis http"),
            entry("balancers", "schemas core sdk http"),
            entry("envoy", "schemas core sdk http"),
            entry("embedded", "schemas core sdk"),
            entry("jobs", "schemas core sdk operators kafka redis"),
            entry("cli", BELOW_THE_COMMAND_LINE),
            entry("local", PRODUCT),
            entry("labs.reproductions", "schemas core simulator"),
            entry("labs.social", "schemas core sdk redis loadgen"),
            entry("labs.commands", "schemas core simulator sdk redis loadgen cli labs.reproductions labs.social"),
            entry("harness", PRODUCT),
            entry("examples", PRODUCT),
            entry("labs.demos", PRODUCT + ' ' + LABS + " harness examples"),
            entry("bench", PRODUCT + ' ' + LABS + " harness examples labs.demos"));

    @ArchTest
    static void layersPointOneWay(JavaClasses classes) {
        Set<String> wrong = new TreeSet<>();
        Set<String> seen = new TreeSet<>();
        for (JavaClass from : classes) {
            String layer = layer(from);
            seen.add(layer);
            List<String> allowed = List.of((LAYERS.getOrDefault(layer, "") + ' ' + layer).split(" "));
            for (Dependency use : from.getDirectDependenciesFromSelf()) {
                JavaClass to = use.getTargetClass().getBaseComponentType();
                if (to.getPackageName().startsWith("io.kipimo.") && !allowed.contains(layer(to))) {
                    wrong.add(use.getDescription());
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(seen).as("layers that have classes").containsExactlyInAnyOrderElementsOf(LAYERS.keySet());
    }

    /** The first name below {@code io.kipimo}; of a lab the first two. */
    private static String layer(JavaClass type) {
        String[] names = type.getPackageName().split("\\.");
        return names[2].equals("labs") ? names[2] + '.' + names[3] : names[2];
    }

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("io.kipimo.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule thoughtKnowsNoEngine = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.kipimo.schemas..",
                    "io.kipimo.core..",
                    "io.kipimo.simulator..",
                    "io.kipimo.labs.reproductions..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.flink..", "org.apache.kafka..", "redis.clients..");

    @ArchTest
    static final ArchRule servicesThatEmbedTheSdkGetNoFlink = noClasses()
            .that()
            .resideInAPackage("io.kipimo.sdk..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.flink..");

    @ArchTest
    static final ArchRule theConsolesServerKnowsNeitherTopicsNorWhatIsShown = noClasses()
            .that()
            .resideInAPackage("io.kipimo.console.server..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.kipimo.schemas..",
                    "io.kipimo.core..",
                    "io.kipimo.sdk..",
                    "io.kipimo.console.model..",
                    "io.kipimo.console.feed..",
                    "org.apache.kafka..");

    @ArchTest
    static final ArchRule operatorsKnowNoForeignSystem = noClasses()
            .that()
            .resideInAPackage("io.kipimo.operators..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "redis.clients..");

    @ArchTest
    static final ArchRule timeAndChanceAreArguments = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.kipimo.schemas..",
                    "io.kipimo.core..",
                    "io.kipimo.operators..",
                    "io.kipimo.simulator..",
                    "io.kipimo.labs.reproductions..")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .callConstructor(Random.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(ThreadLocalRandom.class);

    /** One is either of two messages; one is read and written with every query. */
    private static final Set<String> MESSAGES_CODED_BY_HAND = Set.of("QueryEventProto", "MeasurementProto");

    /** A message is coded by hand if its codec makes the record, which the mapping does otherwise. */
    @ArchTest
    static void messagesAreDerivedFromTheirRecords(JavaClasses classes) {
        Set<String> made = classes.stream()
                .filter(c -> c.getPackageName().equals(Codecs.class.getPackageName()))
                .flatMap(c -> c.getCodeUnitCallsFromSelf().stream())
                .filter(call -> Set.of("<init>", "build").contains(call.getName()))
                .map(call -> call.getTargetOwner().getName().replaceAll("Builder$", ""))
                .collect(Collectors.toSet());
        assertThat(Codecs.all().stream().filter(c -> made.contains(c.type().getName())))
                .extracting(Codec::name)
                .as("messages that are coded by hand")
                .containsExactlyInAnyOrderElementsOf(MESSAGES_CODED_BY_HAND);
    }

    /** Flink may change what is internal or of its runtime in any release: look there first when it moves. */
    @ArchTest
    static void whatTheProductUsesOfFlinksInternalsIsKnownByName(JavaClasses classes) throws IOException {
        String used = usesOfFlinksInternals(classes)
                .map(ArchitectureTest::target)
                .distinct()
                .sorted()
                .map(name -> name + "\n")
                .collect(Collectors.joining());
        assertThat(used).isEqualTo(Files.readString(Path.of(INTERNALS)));
    }

    /** One package in each module that runs in Flink or starts it. Operators have their interface wherever they are. */
    @ArchTest
    static void flinksInternalsStandInOnePackageOfAModule(JavaClasses classes) {
        assertThat(usesOfFlinksInternals(classes)
                        .filter(use -> !INTERFACE_OF_OPERATORS.contains(target(use)))
                        .filter(use -> !PACKAGES_OF_INTERNALS.contains(
                                use.getOriginClass().getPackageName()))
                        .map(Dependency::getDescription))
                .isEmpty();
    }

    private static Stream<Dependency> usesOfFlinksInternals(JavaClasses classes) {
        return classes.stream()
                .filter(c -> !c.getPackageName().matches("io\\.kipimo\\.(labs|examples|bench|harness)\\b.*"))
                .flatMap(c -> c.getDirectDependenciesFromSelf().stream())
                .filter(use -> target(use).startsWith("org.apache.flink."))
                .filter(use -> INTERNAL.computeIfAbsent(target(use), ArchitectureTest::isInternal));
    }

    private static String target(Dependency use) {
        return use.getTargetClass().getBaseComponentType().getName();
    }

    /** Flink's annotations are not kept at run time, so the class file is asked for their names. */
    private static boolean isInternal(String name) {
        try (InputStream file = ArchitectureTest.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
            String constants = file == null ? "" : new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
            return !constants.contains("Lorg/apache/flink/annotation/Public")
                    && (name.contains(".runtime.") || constants.contains("Lorg/apache/flink/annotation/Internal;"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ArchTest
    static final ArchRule packagesAreNamedByWhatTheyHold =
            noClasses().should().resideInAnyPackage("..util..", "..utils..", "..common..", "..helper..", "..helpers..");

    @Test
    void everyPackageExplainsItself() throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent().getParent();
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> silent = files.filter(Files::isDirectory)
                    .filter(directory -> directory.toString().contains("/src/main/java/"))
                    .filter(ArchitectureTest::hasClasses)
                    .filter(directory -> !Files.exists(directory.resolve("package-info.java")))
                    .map(root::relativize)
                    .toList();
            assertThat(silent).as("packages without package-info.java").isEmpty();
        }
    }

    /** The launcher has its own help text, so that help needs no build. This module sees the commands of all others. */
    @Test
    void theLaunchersHelpNamesEveryCommand() throws IOException {
        String launcher = Files.readString(Path.of("../../kipimo"));
        for (String command : Main.commandLine().getSubcommands().keySet()) {
            if (!command.equals("help")) {
                assertThat(launcher).containsPattern("\n  " + command + " +\\w");
            }
        }
    }

    private static boolean hasClasses(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.anyMatch(file -> file.toString().endsWith(".java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
