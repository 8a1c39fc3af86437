package io.kipimo.cli.conform;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A rule that records of a service violate.
 *
 * @param service empty if it could not be read
 * @param count number of records, queries, seconds or classes
 * @param example the first violation
 */
record ConformFinding(Rule rule, String service, long count, String example) {
    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("rule", rule.name());
        document.put("severity", rule.isWrong() ? "WRONG" : "REMARK");
        document.put("service", service);
        document.put("count", count);
        document.put("problem", rule.text());
        document.put("example", example);
        document.put("advice", rule.advice());
        return document;
    }
}
