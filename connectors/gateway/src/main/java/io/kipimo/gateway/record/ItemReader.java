package io.kipimo.gateway.record;

import io.kipimo.schemas.quality.Items;

/**
 * Finds the ranked items in a response. JSON is built in. For other formats, {@link
 * java.util.ServiceLoader} finds user classes.
 */
public interface ItemReader {
    /** Name in the configuration. */
    String name();

    /**
     * Items of a successful response.
     *
     * @throws IllegalArgumentException if the body is not of the reader's form
     */
    Items read(RecordedResponse response);
}
