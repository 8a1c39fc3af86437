/** Limits of requests and bytes that work without a control plane. Read {@link io.kipimo.gateway.limit.LocalLimit}. */
package io.kipimo.gateway.limit;
