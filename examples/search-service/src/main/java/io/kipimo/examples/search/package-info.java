/**
 * The search service of the demo: real text, real Lucene, real HTTP; a front end over four components with a deadline
 * (Ubora, sec. 8, where it is the service under control). Read {@link io.kipimo.examples.search.SearchService} first;
 * it runs as a process of its own, {@link io.kipimo.examples.search.SearchServiceMain}.
 */
package io.kipimo.examples.search;
