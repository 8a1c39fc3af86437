package io.kipimo.engines;

import io.kipimo.harness.opensearch.OpenSearchCluster.EngineKind;

/** Two clusters of OpenSearch. */
class OpenSearchPairITCase extends CrossClusterContract {
    @Override
    EngineKind engine() {
        return EngineKind.OPENSEARCH;
    }
}
