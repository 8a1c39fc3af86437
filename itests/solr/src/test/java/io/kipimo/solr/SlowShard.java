package io.kipimo.solr;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.solr.common.params.ShardParams;
import org.apache.solr.common.params.SolrParams;
import org.apache.solr.handler.component.ResponseBuilder;
import org.apache.solr.handler.component.SearchComponent;

/** A shard's request takes {@code slow.millis} longer on the shard that parameter {@code slow} names. */
public final class SlowShard extends SearchComponent {
    @Override
    public void prepare(ResponseBuilder builder) throws IOException {
        SolrParams params = builder.req.getParams();
        String shard =
                builder.req.getCore().getCoreDescriptor().getCloudDescriptor().getShardId();
        if (params.getBool(ShardParams.IS_SHARD, false) && shard.equals(params.get("slow"))) {
            try {
                TimeUnit.MILLISECONDS.sleep(params.getInt("slow.millis", 0));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    @Override
    public void process(ResponseBuilder builder) {
        // It only takes time.
    }

    @Override
    public String getDescription() {
        return "a slow shard";
    }
}
