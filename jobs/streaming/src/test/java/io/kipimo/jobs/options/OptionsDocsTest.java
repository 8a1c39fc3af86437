package io.kipimo.jobs.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.jobs.admission.AdmissionOptions;
import io.kipimo.jobs.invalidation.InvalidationOptions;
import io.kipimo.jobs.quality.QualityOptions;
import io.kipimo.jobs.rating.RatingOptions;
import io.kipimo.jobs.replication.ReplicationOptions;
import io.kipimo.jobs.tails.TailsOptions;
import io.kipimo.jobs.ttl.TtlOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsDocsTest {
    private static final Path PAGE = Path.of("../../docs/options.md");

    @Test
    void thePageOfOptionsIsWhatTheCodeSays() throws Exception {
        Map<String, OptionSet> jobs = new LinkedHashMap<>();
        jobs.put("quality", QualityOptions.SET);
        jobs.put("admission", AdmissionOptions.SET);
        jobs.put("tails", TailsOptions.SET);
        jobs.put("replication", ReplicationOptions.SET);
        jobs.put("rating", RatingOptions.SET);
        jobs.put("ttl", TtlOptions.SET);
        jobs.put("invalidation", InvalidationOptions.SET);
        String expected = OptionsDocs.markdown(jobs);
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(PAGE, expected);
        }

        assertThat(PAGE).as("write it anew with -Ddocs.write=true").hasContent(expected);
    }
}
