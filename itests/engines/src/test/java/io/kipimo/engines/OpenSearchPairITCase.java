package io.kipimo.engines;

import io.kipimo.harness.opensearch.OpenSearchCluster.Engine;

/** Two clusters of OpenSearch. */
class OpenSearchPairITCase extends CrossClusterContract {
    @Override
    Engine engine() {
        return Engine.OPENSEARCH;
    }
}
