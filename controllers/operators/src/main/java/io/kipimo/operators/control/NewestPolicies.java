package io.kipimo.operators.control;

import io.kipimo.schemas.policy.Policy;
import java.io.Serializable;
import java.util.Map;

/**
 * The policies in force when an attempt of a job begins. Its checkpoint may be older than a kill switch, and its stream
 * of policies comes to that only after first decisions.
 */
@FunctionalInterface
public interface NewestPolicies extends Serializable {
    /**
     * Reads the newest policy of each service.
     *
     * @throws Exception if they cannot be read; the attempt must not decide then
     */
    Map<String, Policy> read() throws Exception;
}
