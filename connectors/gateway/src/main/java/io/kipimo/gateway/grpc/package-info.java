/**
 * gRPC as this gateway reads it: the status of a call, its time-out, and messages as JSON, by the descriptors that
 * engines publish. Everything else reads JSON, whatever the protocol. Read {@link io.kipimo.gateway.grpc.GrpcMessages}
 * first.
 */
package io.kipimo.gateway.grpc;
