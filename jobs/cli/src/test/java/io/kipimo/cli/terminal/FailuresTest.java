package io.kipimo.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.cli.CommandProvider;
import io.kipimo.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;

class FailuresTest {
    @Command(name = "fail")
    private record Failing(Exception failure) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            throw failure;
        }
    }

    private static String saidOf(Exception failure) {
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine(new CommandProvider() {
            @Override
            public Map<String, Supplier<Object>> commands() {
                return Map.of("fail", () -> new Failing(failure));
            }

            @Override
            public IExecutionExceptionHandler failures() {
                return new Failures();
            }
        });
        line.setErr(new PrintWriter(err, true));
        assertThat(line.execute("fail")).isEqualTo(1);
        return err.toString();
    }

    @Test
    void aFailureIsOneLine() {
        assertThat(saidOf(new IllegalStateException("no broker"))).isEqualTo("kipimo: no broker\n");
    }

    @Test
    void aSecondLineTellsItsCausesDownToTheFirst() {
        Exception root = new TimeoutException("12 s\n at once");
        Exception wrapped = new IllegalStateException(root);
        String told = "kipimo: no broker\nkipimo: by TimeoutException: 12 s\n";
        assertThat(saidOf(new IllegalStateException("no broker", wrapped))).isEqualTo(told);
        assertThat(saidOf(new IllegalStateException("no broker", root))).isEqualTo(told);
    }

    @Test
    void whatAChildProcessSaidIsToldInFullThoughAnotherThreadWaitedForIt() {
        Exception ended = new IllegalStateException("the service ended; it said:\nno memory\nbye");
        assertThat(saidOf(new ExecutionException(ended)))
                .isEqualTo("kipimo: the service ended; it said:\nno memory\nbye\n");
    }

    @Test
    void whatHasNoMessageIsNamed() {
        assertThat(saidOf(new IllegalStateException("no broker", new NullPointerException())))
                .isEqualTo("kipimo: no broker\nkipimo: by NullPointerException\n");
        assertThat(saidOf(new NullPointerException())).isEqualTo("kipimo: NullPointerException\n");
    }
}
