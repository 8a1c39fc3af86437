package io.kipimo.gateway.record;

import io.kipimo.schemas.quality.Items;

/**
 * Extracts the ranked items of a response. JSON and Solr's javabin are built in. For other formats, the gateway loads
 * users' classes: those that {@link java.util.ServiceLoader} finds, by their name, and others with a public constructor
 * without arguments, by their class.
 */
public interface ItemReader {
    /** Name in the configuration. */
    String name();

    /**
     * Extracts the items of a successful response.
     *
     * @throws IllegalArgumentException if the body does not have the reader's format
     */
    Items read(RecordedResponse response);

    /** Whether responses may say that their work was cut short; then all of them are asked. */
    default boolean showsCuts() {
        return false;
    }

    /**
     * Whether a successful response says that its work was cut short.
     *
     * @throws IllegalArgumentException if the body does not have the reader's format
     */
    default boolean isCut(RecordedResponse response) {
        return false;
    }
}
