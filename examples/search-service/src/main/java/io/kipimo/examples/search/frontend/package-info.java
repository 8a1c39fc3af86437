/**
 * The front end. It queries every component, answers by the deadline with the results that have arrived, and reports
 * the outcome of each component to Kipimo. Read {@link io.kipimo.examples.search.frontend.FrontEnd} first;
 * {@link io.kipimo.examples.search.frontend.ScatterGather} is the life of one query (Ubora, sec. 3).
 */
package io.kipimo.examples.search.frontend;
