package io.kipimo.embedded.watch;

import java.io.PrintStream;
import java.util.Locale;

/** Shows progress: a line that is overwritten on a terminal, occasional lines elsewhere. */
public final class Progress {
    private static final int BAR = 24;
    private static final long QUIET_MILLIS = 10_000;

    private final PrintStream out;
    private final boolean terminal;
    private final long startNanos = System.nanoTime();
    private long lastLineNanos = Long.MIN_VALUE;

    public Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Prints the start of a step or an outcome; the line stays on the screen. */
    public void say(String text) {
        out.printf(Locale.ROOT, "%s[%4d s] %s%n", terminal ? "\r\u001b[K" : "", seconds(), text);
        out.flush();
    }

    /** Shows how far a run is. */
    public void at(String title, double share, String figures) {
        boolean due = (System.nanoTime() - lastLineNanos) / 1_000_000 >= QUIET_MILLIS;
        if (!terminal && lastLineNanos != Long.MIN_VALUE && !due) {
            return;
        }
        lastLineNanos = System.nanoTime();
        int full = (int) Math.round(BAR * Math.min(1, share));
        String line = String.format(
                Locale.ROOT,
                "[%4d s] %-16s %s%s %3.0f %%  %s",
                seconds(),
                title,
                "#".repeat(full),
                "-".repeat(BAR - full),
                100 * Math.min(1, share),
                figures);
        out.print(terminal ? "\r\u001b[K" + line : line + "\n");
        out.flush();
    }

    private long seconds() {
        return (System.nanoTime() - startNanos) / 1_000_000_000;
    }
}
