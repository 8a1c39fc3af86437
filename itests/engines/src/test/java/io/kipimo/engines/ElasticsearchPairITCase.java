package io.kipimo.engines;

import io.kipimo.harness.opensearch.OpenSearchCluster.Engine;
import org.junit.jupiter.api.Tag;

/** Two clusters of Elasticsearch, which take longer to start. */
@Tag("full")
class ElasticsearchPairITCase extends CrossClusterContract {
    @Override
    Engine engine() {
        return Engine.ELASTICSEARCH;
    }
}
