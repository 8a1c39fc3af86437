package io.kipimo.engines;

/** As often as {@code mvn verify} runs: 150 queries, of which some 30 % are cut. */
class SolrITCase extends SolrContract {
    @Override
    int queries() {
        return 150;
    }
}
