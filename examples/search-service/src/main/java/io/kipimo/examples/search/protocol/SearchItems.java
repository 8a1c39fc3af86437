package io.kipimo.examples.search.protocol;

import io.kipimo.gateway.record.ItemReader;
import io.kipimo.gateway.record.RecordedResponse;
import io.kipimo.schemas.quality.Items;
import io.vertx.core.buffer.Buffer;

/** Reads the items of a component's response for the gateway. */
public final class SearchItems implements ItemReader {
    @Override
    public String name() {
        return "search-demo";
    }

    @Override
    public Items read(RecordedResponse response) {
        return ComponentResult.decode(Buffer.buffer(response.body())).hits().toItems();
    }
}
