/** A real SolrCloud. Read {@link io.kipimo.harness.solr.SolrCloud}. */
package io.kipimo.harness.solr;
