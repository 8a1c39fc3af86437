package io.kipimo.gateway.metrics;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** A page in Prometheus' text format, of counts that the gateway keeps by itself. */
public final class MetricsPage {
    public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private static final String TOTAL = "_total";

    private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
    private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
    private final Map<String, HistogramSnapshot.Builder> histograms = new LinkedHashMap<>();

    /**
     * Adds a sample of a counter, which only grows.
     *
     * @param name ends in {@code _total}
     * @param labels names and values by turns
     */
    public MetricsPage counter(String name, String help, Number value, String... labels) {
        // The writer adds the suffix.
        String base = name.substring(0, name.length() - TOTAL.length());
        counters.computeIfAbsent(base, n -> CounterSnapshot.builder().name(n).help(help))
                .dataPoint(CounterDataPointSnapshot.builder()
                        .value(value.doubleValue())
                        .labels(Labels.of(labels))
                        .build());
        return this;
    }

    /** Adds a sample of a gauge, which may go up and down. */
    public MetricsPage gauge(String name, String help, Number value, String... labels) {
        gauges.computeIfAbsent(name, n -> GaugeSnapshot.builder().name(n).help(help))
                .dataPoint(GaugeDataPointSnapshot.builder()
                        .value(value.doubleValue())
                        .labels(Labels.of(labels))
                        .build());
        return this;
    }

    /** Adds all samples of a histogram. */
    public MetricsPage histogram(HistogramSnapshot snapshot) {
        MetricMetadata metadata = snapshot.getMetadata();
        HistogramSnapshot.Builder all = histograms.computeIfAbsent(
                metadata.getName(), n -> HistogramSnapshot.builder().name(n).help(metadata.getHelp()));
        snapshot.getDataPoints().forEach(all::dataPoint);
        return this;
    }

    @Override
    public String toString() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        counters.values().forEach(family -> all.metricSnapshot(family.build()));
        gauges.values().forEach(family -> all.metricSnapshot(family.build()));
        histograms.values().forEach(family -> all.metricSnapshot(family.build()));
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        try {
            PrometheusTextFormatWriter.create().write(page, all.build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return page.toString(StandardCharsets.UTF_8);
    }
}
