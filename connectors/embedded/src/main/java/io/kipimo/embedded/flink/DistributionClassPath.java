package io.kipimo.embedded.flink;

import io.kipimo.embedded.process.ChildProcess;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The part of this JVM's class path that a Flink distribution has in its lib directory. */
final class DistributionClassPath {
    /** Names of Flink's own jars. Connectors are not among them, because jobs bring their connectors. */
    private static final Pattern FLINK =
            Pattern.compile("(?!flink-(connector-kafka|connector-base|test-utils)).*flink-.*\\.jar");

    private static final Pattern FLINKS_LIBRARIES =
            Pattern.compile("(async-profiler|commons-(cli|codec|collections|compress|io|lang3|text|math3)|"
                    + "frocksdbjni|javassist|jsr305|kryo|log4j|lz4|minlog|objenesis|"
                    + "reflectasm|slf4j|snakeyaml-engine|snappy)[-.\\w]*\\.jar");

    private DistributionClassPath() {}

    static String ofThisJvm() {
        String[] entries = System.getProperty("java.class.path").split(File.pathSeparator);
        String embedded = Path.of(java.net.URI.create(ChildProcess.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
        return Stream.concat(Arrays.stream(entries).filter(DistributionClassPath::isFlinks), Stream.of(embedded))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isFlinks(String entry) {
        String file = new File(entry).getName();
        return FLINK.matcher(file).matches() || FLINKS_LIBRARIES.matcher(file).matches();
    }
}
