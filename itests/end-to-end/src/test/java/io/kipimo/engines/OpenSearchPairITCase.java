package io.kipimo.engines;

import io.kipimo.harness.opensearch.OpenSearchCluster.EngineKind;
import org.junit.jupiter.api.Tag;

/** Two clusters of OpenSearch. */
@Tag("full")
class OpenSearchPairITCase extends CrossClusterContract {
    @Override
    EngineKind engine() {
        return EngineKind.OPENSEARCH;
    }
}
