/** A real OpenSearch cluster. Read {@link io.kipimo.harness.opensearch.OpenSearchCluster}. */
package io.kipimo.harness.opensearch;
