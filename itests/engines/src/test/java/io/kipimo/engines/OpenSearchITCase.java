package io.kipimo.engines;

/** As often as {@code mvn verify} runs: 100 queries, of which some 30 % have a limit. */
class OpenSearchITCase extends OpenSearchContract {
    @Override
    int queries() {
        return 100;
    }
}
