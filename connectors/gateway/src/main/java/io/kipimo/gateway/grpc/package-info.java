/**
 * Reads gRPC: the status of a call, its time-out, and its messages as JSON, by the descriptors that engines publish.
 * The rest of the gateway reads JSON, whatever the protocol. Read {@link io.kipimo.gateway.grpc.GrpcMessages} first.
 */
package io.kipimo.gateway.grpc;
