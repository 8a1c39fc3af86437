package io.kipimo.jobs.flink;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.ConfigUtils;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.util.DynamicCodeLoadingException;

/** Access to the Flink on the class path. */
public final class InstalledFlink {
    /** Text that Flink gives if it does not know its own version, as on a class path without its jars. */
    public static final String UNKNOWN_VERSION = "<unknown>";

    private InstalledFlink() {}

    /** The version that Flink states, or {@link #UNKNOWN_VERSION}. */
    public static String version() {
        return EnvironmentInformation.getVersion();
    }

    /** Explains why Flink cannot load the configured state backend; empty if it can. */
    public static Optional<String> whyNoBackend(ReadableConfig flink) {
        try {
            StateBackendLoader.loadStateBackendFromConfig(flink, InstalledFlink.class.getClassLoader(), null);
            return Optional.empty();
        } catch (DynamicCodeLoadingException | IllegalConfigurationException | IOException | LinkageError e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns the configured class paths of the user's own classes.
     *
     * @throws MalformedURLException if a class path is not a URL
     */
    public static List<URL> userClassPaths(ReadableConfig flink) throws MalformedURLException {
        return ConfigUtils.decodeListFromConfig(flink, PipelineOptions.CLASSPATHS, URL::new);
    }
}
