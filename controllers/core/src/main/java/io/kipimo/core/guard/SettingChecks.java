package io.kipimo.core.guard;

import java.util.List;

/** What is wrong with settings; a list of it is said at once. */
public final class SettingChecks {
    private SettingChecks() {}

    /** @throws IllegalArgumentException saying so, if it is wrong */
    public static void throwIf(boolean isWrong, String problem) {
        if (isWrong) {
            throw new IllegalArgumentException(problem);
        }
    }

    public static void addIf(List<String> problems, boolean isWrong, String problem) {
        if (isWrong) {
            problems.add(problem);
        }
    }

    /** @throws IllegalArgumentException with all of them, if there are any */
    public static void refuse(List<String> problems, String separator) {
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join(separator, problems));
        }
    }
}
