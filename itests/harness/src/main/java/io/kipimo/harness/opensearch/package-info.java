/** Runs a real OpenSearch cluster. Read {@link io.kipimo.harness.opensearch.OpenSearchCluster} first. */
package io.kipimo.harness.opensearch;
