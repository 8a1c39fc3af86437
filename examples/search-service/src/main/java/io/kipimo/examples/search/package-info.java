/**
 * The search service of the demo: real text, real Lucene, real HTTP, and a front end over four components with a
 * deadline. In Ubora, sec. 8, such a service is under control. Read {@link io.kipimo.examples.search.SearchService}
 * first; {@link io.kipimo.examples.search.SearchServiceMain} runs it as a process of its own.
 */
package io.kipimo.examples.search;
