package io.kipimo.engines;

/** As often as {@code mvn verify} runs: 60 queries, of which some 30 % have a limit. */
class SolrITCase extends SolrContract {
    @Override
    int queries() {
        return 60;
    }

    @Override
    int documents() {
        return 10_000;
    }
}
