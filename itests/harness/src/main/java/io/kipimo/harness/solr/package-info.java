/** Runs a real SolrCloud. Read {@link io.kipimo.harness.solr.SolrCloud} first. */
package io.kipimo.harness.solr;
