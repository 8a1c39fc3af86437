package io.kipimo.solr;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.opentracingshim.OpenTracingShim;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentracing.Tracer;
import java.time.Duration;
import org.apache.solr.common.util.NamedList;
import org.apache.solr.core.TracerConfigurator;

/**
 * Exports the spans that Solr makes, as its OpenTelemetry module does. Options of the JVM: {@code -Dotel.service.name},
 * {@code -Dsolr.otelDefaultConfigurator} with the name of this class, and {@code -Dkipimo.spans} with the address of
 * the receiver.
 */
public final class SpanExport extends TracerConfigurator {
    @Override
    public void init(NamedList<?> options) {
        // There are none.
    }

    @Override
    public Tracer getTracer() {
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setResource(Resource.create(
                        Attributes.of(AttributeKey.stringKey("service.name"), System.getProperty("otel.service.name"))))
                .addSpanProcessor(BatchSpanProcessor.builder(OtlpHttpSpanExporter.builder()
                                .setEndpoint(System.getProperty("kipimo.spans"))
                                .build())
                        .setScheduleDelay(Duration.ofMillis(200))
                        .build())
                .build();
        return OpenTracingShim.createTracerShim(OpenTelemetrySdk.builder()
                .setTracerProvider(provider)
                .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                .build());
    }
}
