/** Solr as a test bed. Read {@link io.kipimo.solr.SolrBed}. */
package io.kipimo.solr;
