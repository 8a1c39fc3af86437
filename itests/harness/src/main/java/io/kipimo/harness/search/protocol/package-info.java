/**
 * What load generator, front end and components say to each other over HTTP. Read {@link
 * io.kipimo.harness.search.protocol.Headers} first.
 */
package io.kipimo.harness.search.protocol;
