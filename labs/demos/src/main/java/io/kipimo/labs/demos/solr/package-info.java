/** Runs Solr as a service under load. Read {@link io.kipimo.labs.demos.solr.SolrBehindGateway} first. */
package io.kipimo.labs.demos.solr;
