package io.kipimo.gateway.record;

import io.kipimo.gateway.config.ItemsConfig;
import io.kipimo.schemas.quality.Items;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.solr.common.SolrDocument;
import org.apache.solr.common.SolrDocumentList;
import org.apache.solr.common.util.DataInputInputStream;
import org.apache.solr.common.util.JavaBinCodec;
import org.apache.solr.common.util.NamedList;

/**
 * Reads items in javabin, Solr's own format, which its coordinators and shards exchange. The items are the documents of
 * {@code response}, ranked by their scores, or by their places if they have no scores. A shard that met a limit says so
 * in the {@code responseHeader}.
 */
final class JavabinItems implements ItemReader {
    private static final int MOST_ITEMS = 10_000;

    private static final List<String> CUTS =
            List.of("partialResults", "segmentTerminatedEarly", "maxHitsTerminatedEarly");

    private final List<String> ids;
    private final String score;

    /** @param config names the fields; pointers are not used */
    public JavabinItems(ItemsConfig config) {
        this.ids = config.ids();
        this.score = config.score();
    }

    @Override
    public String name() {
        return ItemsConfig.JAVABIN;
    }

    @Override
    public boolean showsCuts() {
        return true;
    }

    @Override
    public boolean isCut(RecordedResponse response) {
        Object header = field(decode(response), "responseHeader");
        if (field(header, "status") == null) {
            throw new IllegalArgumentException("the response has no 'responseHeader', which shows cuts");
        }
        return CUTS.stream().anyMatch(sign -> isSet(field(header, sign)));
    }

    /** Whether a sign is set. Solr writes {@code true}, or the text {@code omitted}. */
    private static boolean isSet(Object value) {
        return value != null && !value.equals(false) && !value.toString().equals("false");
    }

    @Override
    public Items read(RecordedResponse response) {
        Object decoded = decode(response);
        if (!(field(decoded, "response") instanceof SolrDocumentList documents) || documents.size() > MOST_ITEMS) {
            if (isCut(response)) {
                // Cut before it began.
                return Items.NONE;
            }
            throw new IllegalArgumentException("in 'response' there is no list of up to " + MOST_ITEMS + " documents");
        }
        String[] texts = new String[documents.size()];
        float[] scores = new float[texts.length];
        boolean areSorted = true;
        for (int i = 0; i < texts.length; i++) {
            texts[i] = text(documents.get(i), i);
            boolean isScore = documents.get(i).getFieldValue(score) instanceof Number;
            scores[i] = isScore ? ((Number) documents.get(i).getFieldValue(score)).floatValue() : 0;
            areSorted &= isScore && Float.isFinite(scores[i]) && (i == 0 || scores[i] <= scores[i - 1]);
        }
        return Items.ofTexts(texts, areSorted ? scores : Items.byPlace(scores.length));
    }

    private String text(SolrDocument document, int index) {
        StringBuilder text = new StringBuilder();
        for (String field : ids) {
            Object id = document.getFieldValue(field);
            if (id instanceof Collection<?> all && all.size() == 1) {
                id = all.iterator().next();
            }
            if (!(id instanceof Number || id instanceof CharSequence)) {
                throw new IllegalArgumentException("item " + index + " has no number or text as '" + field + "'");
            }
            text.append(text.isEmpty() ? "" : "/").append(id);
        }
        return text.toString();
    }

    private static Object field(Object of, String name) {
        if (of instanceof NamedList<?> list) {
            return list.get(name);
        }
        return of instanceof Map<?, ?> map ? map.get(name) : null;
    }

    private static Object decode(RecordedResponse response) {
        try {
            return new Bounded(response.body().length).unmarshal(response.body());
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException("the response is not javabin", e);
        }
    }

    /** Decodes javabin without allocating memory for elements that the bytes cannot hold. */
    private static final class Bounded extends JavaBinCodec {
        private final int most;

        Bounded(int most) {
            this.most = most;
        }

        private void check(int size) {
            if (size < 0 || size > most) {
                throw new IllegalArgumentException("a size of " + size);
            }
        }

        // The codec's own list has no type.
        @Override
        @SuppressWarnings("unchecked")
        public List<Object> readArray(DataInputInputStream in, int size) throws IOException {
            check(size);
            return super.readArray(in, size);
        }

        @Override
        protected Map<Object, Object> newMap(int size) {
            // -1: not known.
            check(Math.max(0, size));
            return super.newMap(size);
        }
    }
}
