/**
 * Enforcement points, which shed queries of a class as decided: gateway, HAProxy, Envoy. Read
 * {@link io.kipimo.examples.enforcement.EnforcementPoint} first.
 */
package io.kipimo.examples.enforcement;
