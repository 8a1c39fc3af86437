package io.kipimo.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.runtime.v3.Runtime;
import io.envoyproxy.envoy.service.runtime.v3.RuntimeDiscoveryServiceGrpc.RuntimeDiscoveryServiceImplBase;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Speaks RTDS, Envoy's protocol for runtime values, in its state-of-the-world form: every subscribed Envoy gets the
 * layer at once and on each change, and confirms or refuses each version. After a restart an Envoy gets the current
 * layer.
 */
final class RuntimeStreams extends RuntimeDiscoveryServiceImplBase {
    static final String LAYER = "kipimo";
    static final String TYPE = "type.googleapis.com/envoy.service.runtime.v3.Runtime";

    private static final Logger LOG = LoggerFactory.getLogger(RuntimeStreams.class);
    private static final int MILLION = 1_000_000;

    private final Set<Envoy> envoys = new LinkedHashSet<>();
    private Map<String, Integer> layer = Map.of();
    private long version;
    private long rejections;

    /** One stream of an Envoy; guarded by the enclosing object. */
    private final class Envoy implements StreamObserver<DiscoveryRequest> {
        private final StreamObserver<DiscoveryResponse> out;
        private long sent = -1;
        private long taken = -1;

        Envoy(StreamObserver<DiscoveryResponse> out) {
            this.out = out;
        }

        @Override
        public void onNext(DiscoveryRequest request) {
            onRequest(this, request);
        }

        @Override
        public void onError(Throwable t) {
            left(this);
        }

        @Override
        public void onCompleted() {
            left(this);
            out.onCompleted();
        }
    }

    @Override
    public StreamObserver<DiscoveryRequest> streamRuntime(StreamObserver<DiscoveryResponse> out) {
        Envoy envoy = new Envoy(out);
        ((ServerCallStreamObserver<DiscoveryResponse>) out).setOnCancelHandler(() -> left(envoy));
        return envoy;
    }

    private synchronized void onRequest(Envoy envoy, DiscoveryRequest request) {
        if (!request.getResourceNamesList().contains(LAYER)) {
            return;
        }
        envoys.add(envoy);
        boolean ofTheLast = request.getResponseNonce().equals(Long.toString(envoy.sent));
        if (ofTheLast && request.hasErrorDetail()) {
            rejections++;
            LOG.warn(
                    "an Envoy refused version {}: {}",
                    envoy.sent,
                    request.getErrorDetail().getMessage());
        } else if (ofTheLast) {
            envoy.taken = envoy.sent;
        }
        if (envoy.sent < version) {
            send(envoy);
        }
    }

    private synchronized void left(Envoy envoy) {
        envoys.remove(envoy);
    }

    /** Sends the layer to all Envoys if it has changed. */
    synchronized void set(Map<String, Integer> millionths) {
        if (version > 0 && millionths.equals(layer)) {
            return;
        }
        layer = Map.copyOf(millionths);
        version++;
        envoys.forEach(this::send);
    }

    private void send(Envoy envoy) {
        Struct.Builder values = Struct.newBuilder();
        layer.forEach((key, millionths) -> values.putFields(key, fraction(millionths)));
        Runtime runtime = Runtime.newBuilder().setName(LAYER).setLayer(values).build();
        envoy.sent = version;
        envoy.out.onNext(DiscoveryResponse.newBuilder()
                .setVersionInfo(Long.toString(version))
                .setNonce(Long.toString(version))
                .setTypeUrl(TYPE)
                .addResources(Any.pack(runtime))
                .build());
    }

    private static Value fraction(int millionths) {
        return Value.newBuilder()
                .setStructValue(Struct.newBuilder()
                        .putFields(
                                "numerator",
                                Value.newBuilder().setNumberValue(millionths).build())
                        .putFields(
                                "denominator",
                                Value.newBuilder().setStringValue("MILLION").build()))
                .build();
    }

    synchronized int connected() {
        return envoys.size();
    }

    /** Number of Envoys that have not confirmed the newest version. */
    synchronized int behind() {
        return (int) envoys.stream().filter(envoy -> envoy.taken < version).count();
    }

    synchronized long rejections() {
        return rejections;
    }

    /** The current layer: millionths by key. */
    synchronized Map<String, Integer> layer() {
        return layer;
    }

    /**
     * @param fraction 0..1; NaN counts as 0
     * @return 0..1,000,000
     */
    static int millionths(double fraction) {
        return Double.isFinite(fraction) ? (int) Math.round(MILLION * Math.max(0, Math.min(1, fraction))) : 0;
    }
}
