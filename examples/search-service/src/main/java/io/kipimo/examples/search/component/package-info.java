/**
 * A component: one partition behind an HTTP server of its own, with one worker that takes queries
 * in turn. Under load it waits, and what comes too late for the answer is what Kipimo measures.
 * Read {@link io.kipimo.examples.search.component.SearchComponent} first.
 */
package io.kipimo.examples.search.component;
