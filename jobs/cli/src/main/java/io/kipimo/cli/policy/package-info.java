/**
 * Commands that change policies, overrides and the kill switch. Every change reads the stored policy, changes it and
 * publishes it as the next version. Read {@link io.kipimo.cli.policy.PolicyCommand} first.
 */
package io.kipimo.cli.policy;
