/**
 * The front end: asks every component, answers by the deadline from what has come, and tells Kipimo
 * what became of each component. Read {@link io.kipimo.examples.search.frontend.FrontEnd} first;
 * {@link io.kipimo.examples.search.frontend.ScatterGather} is the life of one query (Ubora, sec.
 * 3).
 */
package io.kipimo.examples.search.frontend;
