/** Solr as a service under load. Read {@link io.kipimo.examples.solr.SolrBehindGateway}. */
package io.kipimo.examples.solr;
