package io.kipimo.operators.control;

import io.kipimo.schemas.policy.Policy;
import java.io.Serializable;
import java.util.Map;

/**
 * Reads the policies in force when an attempt of a job begins. The attempt's checkpoint may be older than a kill
 * switch, and its stream of policies may deliver the switch only after the first decisions.
 */
@FunctionalInterface
public interface NewestPolicies extends Serializable {
    /**
     * Reads the newest policy of each service.
     *
     * @throws Exception if the policies cannot be read; the attempt must not make decisions then
     */
    Map<String, Policy> read() throws Exception;
}
