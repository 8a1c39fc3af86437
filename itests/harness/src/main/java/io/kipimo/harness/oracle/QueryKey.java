package io.kipimo.harness.oracle;

import io.kipimo.schemas.quality.Measurement;

/** What identifies a query; two services may use the same id. */
public record QueryKey(String service, String queryId) {

    public static QueryKey of(Measurement measurement) {
        return new QueryKey(measurement.service(), measurement.queryId());
    }
}
