package io.kipimo.loadgen.workload;

/**
 * Opens targets of a kind that Kipimo does not know. Implementations are found by {@link java.util.ServiceLoader} on
 * the class path ({@code KIPIMO_EXTRA_CLASSPATH}).
 */
public interface TargetService {
    /** Scheme of the URLs that it opens, as in {@code SCHEME:...}; lower case. */
    String scheme();

    /**
     * Opens a target; the caller closes it.
     *
     * @param url as given by the user
     * @throws IllegalArgumentException if the URL is not valid; the message says what is allowed
     */
    Target open(String url);
}
