package io.kipimo.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathRuleTest {
    @ParameterizedTest
    @CsvSource({
        "*/_search, /_search, true",
        "*/_search, /products/_search?timeout=1s, true",
        "*/_search, '/a,b/_search', true",
        "*/_search, /products/_search/scroll, false",
        "*/_search, /products/_msearch, false",
        "*/_search, /products/_bulk, false",
        "*/_search, /products/_bulk?x=/_search, false",
        "*/_search, /_all/_search, true",
        "*/_search, /products/doc/_search, true",
        "*/_search, /products/_update/_search, false",
        "*/_search, /products/_doc/_search, false",
        "*/_search, /products/_create/_search, false",
        "*/_search, /products/%5Fupdate/_search, false",
        "*/_search, /_scripts/_search, false",
        "*/_search, /_snapshot/backups/_search, false",
        "*/_search, /a/b/c/_search, false",
        "/*/_search, /products/_search, true",
        "/*/_search, /_scripts/_search, false",
        "/*/_search, /_search, false",
        "*/select, /solr/docs/select, true",
        "*/select, /select, true",
        "/search/, /search/, true",
        "/search/, /search, false",
        "/collections/*/points/query, /collections/a/points/query, true",
        "/collections/*/points/query, /collections/a/points, false",
        "/collections/*/points/query, /collections/a/points/b/points/query, false",
        "/indexes/*/search, /indexes/a/documents/search, false",
        "/a*a, /a, false",
        "/a*a, /aa, true",
        "*, /anything, true",
        "/a*b*c, /abxc, true",
        "/a*b*c, /acb, false"
    })
    void aStarStandsForNamesButNotForActions(String rule, String target, boolean expected) {
        assertThat(PathRule.parse(rule).orElseThrow().matches(target)).isEqualTo(expected);
    }

    /** What a server may take for another path. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/products/_bulk/../_search",
                "/products/_bulk;/_search",
                "/products/_bulk%2f_search/_search",
                "/products/%2E%2e/_search",
                "/products/.",
                "//_search",
                "/a\\b/_search"
            })
    void aPathOfTwoReadingsIsNamedByNoRule(String target) {
        assertThat(new PathRule("*").matches(target)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "_search", "*_search", "/a b", "/a?b", "/a%41", "/a;b"})
    void aRuleIsAPath(String text) {
        assertThat(PathRule.parse(text)).isEmpty();
    }
}
