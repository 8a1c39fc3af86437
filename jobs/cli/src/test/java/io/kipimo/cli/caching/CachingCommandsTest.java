package io.kipimo.cli.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.cli.CommandRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CachingCommandsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    purge --cache http://a --attempts 0        | --attempts is 0; allowed: 1..100
                    purge --cache varnish                      | cache is 'varnish'; allowed: http://HOST:PORT
                    purge --cache http://a --query-path /q     | path is '/q'; allowed: with {key}
                    purge --cache http://a --timeout 2         | --timeout is '2'; allowed: 45s
                    filter serve --redis a --table s/t         | --redis is 'a'; allowed: HOST:PORT
                    filter serve --redis a:1 --table things    | --table is 'things'; allowed: SERVICE/TABLE
                    filter serve --redis a:0 --table s/t       | Redis port is 0; allowed: 1..65535
                    filter serve --redis a:1 --table s/t --port -1 | --port is -1; allowed: 0..65535
                    """)
    void invalidInputIsRefusedWithWhatIsAllowed(String command, String problem) {
        CommandRun run = CommandRun.of(command.split(" "));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(problem);
    }
}
