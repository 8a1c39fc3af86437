package io.kipimo.jobs.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.jobs.submission.KipimoJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsDocsTest {
    private static final Path PAGE = Path.of("../../docs/options.md");

    @Test
    void thePageOfOptionsIsUpToDate() throws Exception {
        Map<String, OptionSet<?>> jobs = new LinkedHashMap<>();
        for (KipimoJob job : KipimoJob.values()) {
            jobs.put(job.jobName(), job.options());
        }
        String expected = OptionsDocs.markdown(jobs);
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(PAGE, expected);
        }

        assertThat(PAGE).as("write it anew with -Ddocs.write=true").hasContent(expected);
    }
}
