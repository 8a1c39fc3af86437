package io.kipimo.cli.run;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.jobs.submission.Submission;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the jar to submit to clusters. */
final class JobJar {
    private static final String NAME = "kipimo-streaming-*-job.jar";

    private JobJar() {}

    /**
     * @param given file that the user named; null: the jar that was built with the running classes
     * @throws InputException if there is no readable jar
     */
    static Path find(Path given) {
        if (given != null && !given.toString().isEmpty()) {
            InputException.throwIf(!Files.isReadable(given), "--jar is '" + given + "'; allowed: a readable file");
            return given;
        }
        // A jar, or target/classes.
        Path classes = Path.of(URI.create(Submission.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(classes.getParent(), NAME)) {
            for (Path jar : jars) {
                return jar;
            }
        } catch (IOException e) {
            // Treat the jar as missing.
        }
        throw new InputException("--jar is not given and no " + NAME + " was built; allowed: the file of the job jar");
    }
}
