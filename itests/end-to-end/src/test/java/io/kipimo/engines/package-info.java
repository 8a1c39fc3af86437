/**
 * Real search engines behind the gateway: what the gateway and the quality job say of answers that the engine cut by
 * itself. Read {@link io.kipimo.engines.SolrITCase} first.
 */
package io.kipimo.engines;
