package io.kipimo.cli.replication;

import io.kipimo.cli.terminal.InputException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Checks and formats that the commands of this package share. */
final class ReplicationChecks {
    /** Precision of a printed number. */
    private static final MathContext DIGITS = new MathContext(4, RoundingMode.HALF_UP);

    private ReplicationChecks() {}

    static void atLeast0(String option, double value) {
        InputException.throwIf(
                !(value >= 0 && Double.isFinite(value)), option + " is " + value + "; allowed: finite, >= 0");
    }

    static void above0(String option, double value) {
        InputException.throwIf(
                !(value > 0 && Double.isFinite(value)), option + " is " + value + "; allowed: finite, > 0");
    }

    static void atLeast1(String option, int value) {
        InputException.throwIf(value < 1, option + " is " + value + "; allowed: >= 1");
    }

    /** Formats a share in percent with at most four decimals, so that 0.999999 stays distinct from 1. */
    static String share(double share) {
        return new BigDecimal(String.format(Locale.ROOT, "%.4f", share * 100))
                        .stripTrailingZeros()
                        .toPlainString()
                + " %";
    }

    static String number(double value) {
        return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
    }
}
