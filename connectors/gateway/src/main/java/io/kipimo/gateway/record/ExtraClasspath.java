package io.kipimo.gateway.record;

import io.kipimo.schemas.document.InvalidDocumentException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Loads users' own {@linkplain ItemReader readers} from jars and directories. */
public final class ExtraClasspath {
    private static final String OPTION = "--extra-classpath";

    private ExtraClasspath() {}

    /**
     * Makes a class loader for readers. The gateway uses its classes until it ends.
     *
     * @param paths jars, or directories with classes, with jars, or both
     * @throws InvalidDocumentException that lists every path that cannot be used
     */
    public static ClassLoader of(List<Path> paths) {
        List<String> problems = new ArrayList<>();
        List<URL> urls = new ArrayList<>();
        for (Path path : paths) {
            try {
                if (Files.isDirectory(path)) {
                    urls.add(path.toUri().toURL());
                    addJars(path, urls);
                } else if (Files.isReadable(path) && path.toString().endsWith(".jar")) {
                    urls.add(path.toUri().toURL());
                } else {
                    problems.add(OPTION + " has '" + path + "'; allowed: jars and directories that exist");
                }
            } catch (IOException e) {
                problems.add(OPTION + " has '" + path + "', which cannot be read: " + e);
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidDocumentException(problems);
        }
        return new URLClassLoader(urls.toArray(new URL[0]), ItemReader.class.getClassLoader());
    }

    private static void addJars(Path directory, List<URL> urls) throws IOException {
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.jar")) {
            found.forEach(jars::add);
        }
        jars.sort(null);
        for (Path jar : jars) {
            urls.add(jar.toUri().toURL());
        }
    }
}
