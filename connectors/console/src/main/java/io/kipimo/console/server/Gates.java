package io.kipimo.console.server;

import java.util.Map;

/** The release gate over HTTP. Called by worker threads; methods may block. */
public interface Gates {
    /**
     * A verdict.
     *
     * @param document verdict, reason and figures, UTF-8 JSON
     */
    record ReleaseVerdict(boolean isPass, byte[] document) {}

    /**
     * Judges a class.
     *
     * @param parameters options of the gate by name, without dashes
     * @throws RequestRefusedException if they cannot be used
     */
    ReleaseVerdict judge(Map<String, String> parameters);
}
