package io.kipimo.cli.rating;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.core.rating.ExperimentReading;
import io.kipimo.core.rating.RatedServiceModel;
import io.kipimo.core.rating.Verdict;
import io.kipimo.schemas.field.Decimals;
import io.kipimo.schemas.field.Names;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A service that an external command loads and measures. The command imposes <code>{load}</code> and prints the
 * throughput, a number of 0 or more, as its last line. A second word {@code failed} means that the agreement was
 * broken.
 */
final class CommandService implements RatedServiceModel {
    static final String SCHEME = "command:";

    private final String command;
    private final long timeOutMillis;

    CommandService(String command, long timeOutMillis) {
        InputException.throwIf(
                !command.contains("{load}"), "--target is '" + SCHEME + command + "'; allowed: a command with {load}");
        this.command = command;
        this.timeOutMillis = timeOutMillis;
    }

    /**
     * Runs the command.
     *
     * @throws InputException if the command hangs, fails, or prints no number
     */
    @Override
    public ExperimentReading at(long load) {
        String text = command.replace("{load}", Long.toString(load));
        try {
            Process process = new ProcessBuilder(List.of("setsid", "sh", "-c", text))
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            Thread ending = new Thread(() -> end(process));
            Runtime.getRuntime().addShutdownHook(ending);
            LastLine output = new LastLine(process.getInputStream());
            boolean ended;
            try {
                ended = process.waitFor(timeOutMillis, TimeUnit.MILLISECONDS);
            } finally {
                end(process);
                Runtime.getRuntime().removeShutdownHook(ending);
            }
            if (!ended) {
                throw problem(load, "did not end within " + timeOutMillis + " ms");
            }
            if (process.exitValue() != 0) {
                throw problem(load, "ended with exit code " + process.exitValue());
            }
            return reading(load, output.await());
        } catch (IOException e) {
            throw problem(load, "cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw problem(load, "was interrupted");
        }
    }

    /** Kills the command and all processes that it started, even those that outlived it. They are one process group. */
    private static void end(Process process) {
        try {
            new ProcessBuilder("sh", "-c", "kill -9 -" + process.pid() + " 2>/dev/null")
                    .start()
                    .waitFor();
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ExperimentReading reading(long load, String output) {
        String last = output.strip();
        String[] words = last.split("\\s+");
        boolean failed = words.length == 2 && words[1].equals("failed");
        if (words.length == 1 || failed) {
            double throughput = Decimals.parse(words[0]);
            if (throughput >= 0) {
                return new ExperimentReading(load, throughput, failed ? Verdict.FAILED : Verdict.PASSED);
            }
        }
        String shown = Names.shortened(last, 80, "…");
        throw problem(load, "printed '" + shown + "' last; allowed: NUMBER or NUMBER failed");
    }

    private static InputException problem(long load, String what) {
        return new InputException("command at load " + load + " " + what);
    }

    /** Reads all of a command's output, and keeps only its last line that is not blank. */
    private static final class LastLine {
        private static final int MOST_CHARACTERS = 1_000;
        private static final long PATIENCE_MILLIS = 1_000;

        private final Thread thread;
        private String last = "";

        LastLine(InputStream in) {
            thread = new Thread(() -> read(in), "command-output");
            thread.setDaemon(true);
            thread.start();
        }

        private void read(InputStream in) {
            StringBuilder line = new StringBuilder();
            try (Reader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (int c = reader.read(); c >= 0; c = reader.read()) {
                    if (c == '\n') {
                        keep(line);
                    } else if (line.length() < MOST_CHARACTERS) {
                        line.append((char) c);
                    }
                }
            } catch (IOException e) {
                // The command was ended; what it wrote before counts.
            }
            keep(line);
        }

        private synchronized void keep(StringBuilder line) {
            last = line.toString().isBlank() ? last : line.toString();
            line.setLength(0);
        }

        /**
         * Waits for the end of the output and returns the line. Waits at most 1 s, because a process that left the
         * process group may keep the output open.
         */
        String await() throws InterruptedException {
            thread.join(PATIENCE_MILLIS);
            synchronized (this) {
                return last;
            }
        }
    }
}
