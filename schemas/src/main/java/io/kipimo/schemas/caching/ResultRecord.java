package io.kipimo.schemas.caching;

import io.kipimo.schemas.field.Document;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;

/**
 * A record of a query's result, as it was when the query was evaluated.
 *
 * @param document content of the record in MongoDB's extended JSON; empty if the query is neither sorted nor limited
 */
public record ResultRecord(
        @Text(longest = CacheRead.LONGEST_KEY) String record,
        @Range(most = RecordWrite.LARGEST_VERSION) long version,
        @Document(longest = RecordWrite.LONGEST_DOCUMENT) String document) {}
