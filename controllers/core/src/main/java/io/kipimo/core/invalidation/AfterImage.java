package io.kipimo.core.invalidation;

import io.kipimo.core.invalidation.filter.Document;
import java.util.Objects;
import java.util.Optional;

/**
 * A record after a write.
 *
 * @param recordId unique in the collection
 * @param version number that grows with every write of the record; a write that is not newer than the known version is
 *     ignored
 * @param writtenAtMillis time of the write, by the store's clock
 * @param image content of the record after the write; empty if the write deleted the record
 */
public record AfterImage(
        String collection, String recordId, long version, long writtenAtMillis, Optional<Document> image) {
    public AfterImage {
        Objects.requireNonNull(collection, "collection");
        Objects.requireNonNull(recordId, "recordId");
        Objects.requireNonNull(image, "image");
    }

    public static AfterImage of(String collection, String recordId, long version, long atMillis, Document image) {
        return new AfterImage(collection, recordId, version, atMillis, Optional.of(image));
    }

    public static AfterImage deletion(String collection, String recordId, long version, long atMillis) {
        return new AfterImage(collection, recordId, version, atMillis, Optional.empty());
    }
}
