package io.kipimo.engines;

import io.kipimo.harness.opensearch.OpenSearchCluster.EngineKind;
import org.junit.jupiter.api.Tag;

/** Two clusters of Elasticsearch, which take longer to start. */
@Tag("full")
class ElasticsearchPairITCase extends CrossClusterContract {
    @Override
    EngineKind engine() {
        return EngineKind.ELASTICSEARCH;
    }

    /**
     * Elasticsearch does not tell what another cluster's index hides, so no answer from there would be known as whole.
     */
    @Override
    String settings() {
        return "read-index: false";
    }
}
