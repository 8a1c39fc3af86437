package io.kipimo.console.server;

import java.util.Map;

/** Judges releases for requests over HTTP. Worker threads call it, so its methods may block. */
public interface Gates {
    /**
     * A verdict on a release.
     *
     * @param document verdict, reason and figures, UTF-8 JSON
     */
    record ReleaseVerdict(boolean isPass, byte[] document) {}

    /**
     * Judges a class of a service.
     *
     * @param parameters options of the command {@code gate} by name, without dashes
     * @throws RequestRefusedException if the parameters cannot be used
     */
    ReleaseVerdict judge(Map<String, String> parameters);
}
