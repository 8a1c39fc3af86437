/**
 * What stands before a class of queries and sheds it as decided: gateway, HAProxy, Envoy. Read
 * {@link io.kipimo.harness.door.EnforcementPoint} first.
 */
package io.kipimo.harness.door;
