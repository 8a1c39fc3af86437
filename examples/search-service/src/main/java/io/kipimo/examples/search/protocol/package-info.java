/**
 * What load generator, front end and components say to each other over HTTP. Read {@link
 * io.kipimo.examples.search.protocol.Headers} first.
 */
package io.kipimo.examples.search.protocol;
