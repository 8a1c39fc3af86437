package io.kipimo.gateway.record;

import io.kipimo.schemas.quality.Items;

/**
 * Extracts the ranked items of a response. JSON and Solr's javabin are built in. For other formats, users add classes.
 * A class that {@link java.util.ServiceLoader} finds is configured by its {@link #name}. Another one is configured by
 * its class name, and has a public constructor without arguments.
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

    /** Whether responses may say that their work was cut short; if so, {@link #isCut} is called for every response. */
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
