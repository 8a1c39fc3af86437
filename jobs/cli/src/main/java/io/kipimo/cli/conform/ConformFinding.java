package io.kipimo.cli.conform;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A rule that records of a service do not fulfil.
 *
 * @param service empty where it could not be read
 * @param count records, queries, seconds or classes
 * @param example the first one
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
