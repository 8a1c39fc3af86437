package io.kipimo.gateway.record;

import io.kipimo.schemas.quality.Items;

/**
 * Finds the ranked items in a response. JSON is built in; for other forms a class of the user's,
 * found by {@link java.util.ServiceLoader}.
 */
public interface ItemReader {
    /** What the configuration calls it. */
    String name();

    /**
     * Items of a successful response.
     *
     * @throws IllegalArgumentException if the body is not of the reader's form
     */
    Items read(RecordedResponse response);
}
