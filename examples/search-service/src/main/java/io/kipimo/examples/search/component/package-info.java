/**
 * A component: one partition behind its own HTTP server, with one worker that serves queries in turn. Under load
 * queries wait, and Kipimo measures the effect of results that miss the answer. Read
 * {@link io.kipimo.examples.search.component.SearchComponent} first.
 */
package io.kipimo.examples.search.component;
