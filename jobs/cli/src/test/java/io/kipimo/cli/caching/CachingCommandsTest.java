package io.kipimo.cli.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.cli.CommandRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CachingCommandsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    purge --cache http://a --attempts 0        | --attempts is 0; allowed: 1..100
                    purge --cache varnish                      | cache is 'varnish'; allowed: http://HOST:PORT
                    purge --cache http://a --query-path /q     | path is '/q'; allowed: with {key}
                    purge --cache http://a --timeout 2         | --timeout is '2'; allowed: 45s
                    purge --cache http://a --admin here         | --admin is 'here'; allowed: HOST:PORT
                    changes --listen here                       | --listen is 'here'; allowed: HOST:PORT
                    changes --cors-origin shop                  | origin is 'shop'; allowed: https://HOST
                    filter serve --redis a:1 --table s/t --cors-origin b | origin is 'b'; allowed: https://HOST
                    changes --streams 0                         | streams is 0; allowed: 1..100000
                    changes --history 0                         | history is 0; allowed: 1..10000000
                    changes --heartbeat-millis 5                | heartbeat is 5; allowed: 100..3600000
                    cache-truth --table things --origin http://a | --table is 'things'; allowed: SERVICE/TABLE
                    cache-truth --table s/t --origin a          | origin is 'a'; allowed: http://HOST:PORT
                    cache-truth --table s/t --origin http://a --cache http://b/x | cache is 'http://b/x'; allowed: http://HOST:PORT
                    cache-truth --table s/t --origin http://a --within 1m,5 | --within is '5'; allowed: 45s
                    cache-truth --table s/t --origin http://a --within 2d | within is [172800000] ms; allowed: 1 to 10 times
                    cache-truth --table s/t --origin http://a --keys 0 | watched keys are 0; allowed: 1..1000000
                    cache-truth --table s/t --origin http://a --name a/b | prober is 'a/b'; allowed: 1 to 256
                    cache-truth --table s/t --origin http://a --delta-millis 0 | refresh is 0 ms; allowed: from 1
                    cache-truth --table s/t --origin http://a --record-path /q | path is '/q'; allowed: with {key}
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
