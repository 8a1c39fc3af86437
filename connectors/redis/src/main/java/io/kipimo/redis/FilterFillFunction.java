package io.kipimo.redis;

import io.kipimo.core.stale.FilterShape;
import io.kipimo.schemas.caching.CachingWindow;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds to each window the current fill of the filter of stale keys of its table. While Redis is unavailable, windows
 * are forwarded without a fill.
 */
public final class FilterFillFunction extends RichMapFunction<CachingWindow, CachingWindow> {
    private static final Logger LOG = LoggerFactory.getLogger(FilterFillFunction.class);

    private final RedisSettings settings;
    private final FilterShape shape;
    private transient Map<String, RedisStaleKeys> tables;
    private transient boolean away;

    /** @param shape shape of the filters */
    public FilterFillFunction(RedisSettings settings, FilterShape shape) {
        this.settings = settings;
        this.shape = shape;
    }

    @Override
    public void open(OpenContext context) {
        tables = new HashMap<>();
    }

    @Override
    public CachingWindow map(CachingWindow window) {
        RedisStaleKeys keys =
                tables.computeIfAbsent(window.scope(), table -> RedisStaleKeys.withoutReads(settings, table, shape));
        try {
            CachingWindow filled = window.with(keys.fill(System.currentTimeMillis()));
            away = false;
            return filled;
        } catch (RedisUnavailableException | IllegalArgumentException e) {
            // IllegalArgumentException: the stored filter has another shape.
            if (!away) {
                away = true;
                LOG.warn("windows are forwarded without the filter's fill: {}", e.getMessage());
            }
            return window;
        }
    }

    @Override
    public void close() {
        if (tables != null) {
            tables.values().forEach(RedisStaleKeys::close);
        }
    }
}
