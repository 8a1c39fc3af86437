package io.kipimo.cli.conform;

import io.kipimo.schemas.document.JsonObject;
import java.util.Map;

/**
 * A rule that records of a service violate, with the number of violations.
 *
 * @param service empty if it could not be read
 * @param count number of records, queries, seconds or classes
 * @param example the first violation
 */
record ConformFinding(Rule rule, String service, long count, String example) {
    Map<String, Object> document() {
        return new JsonObject()
                .with("rule", rule.name())
                .with("severity", rule.isWrong() ? "WRONG" : "REMARK")
                .with("service", service)
                .with("count", count)
                .with("problem", rule.text())
                .with("example", example)
                .with("advice", rule.advice());
    }
}
