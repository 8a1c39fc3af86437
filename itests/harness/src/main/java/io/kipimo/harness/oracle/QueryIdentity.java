package io.kipimo.harness.oracle;

import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryEvent;

/** Identity of a query; two services may use the same id. */
public record QueryIdentity(String service, String queryId) {

    public static QueryIdentity of(Measurement measurement) {
        return new QueryIdentity(measurement.service(), measurement.queryId());
    }

    public static QueryIdentity of(QueryEvent event) {
        return new QueryIdentity(event.service(), event.queryId());
    }
}
