/**
 * HTTP protocol between load generator, front end and components. Read
 * {@link io.kipimo.examples.search.protocol.Headers} first.
 */
package io.kipimo.examples.search.protocol;
