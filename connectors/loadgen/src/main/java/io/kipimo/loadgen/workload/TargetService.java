package io.kipimo.loadgen.workload;

/**
 * Opens targets of a kind that Kipimo does not know. Kipimo finds implementations with {@link java.util.ServiceLoader}
 * on the class path ({@code KIPIMO_EXTRA_CLASSPATH}).
 */
public interface TargetService {
    /** Scheme of the URLs that the service opens, as in {@code SCHEME:...}; lower case. */
    String scheme();

    /**
     * Opens a target; the caller closes it.
     *
     * @param url as given by the user
     * @throws IllegalArgumentException if the URL is not valid; the message says what is allowed
     */
    Target open(String url);
}
