/**
 * Enforcement points, which shed queries of a class according to decisions: gateway, HAProxy, Envoy. Read
 * {@link io.kipimo.labs.demos.enforcement.EnforcementPoint} first.
 */
package io.kipimo.labs.demos.enforcement;
