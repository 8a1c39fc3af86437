/**
 * The limits that hold without the control plane, of requests and of bytes. Read {@link
 * io.kipimo.gateway.limit.LocalLimit}.
 */
package io.kipimo.gateway.limit;
