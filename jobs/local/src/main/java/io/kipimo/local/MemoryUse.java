package io.kipimo.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Measures the memory of this process and its children. */
final class MemoryUse {
    private MemoryUse() {}

    /** Resident memory in mebibytes; empty if the system does not tell, as on all systems but Linux. */
    static OptionalLong mebibytes() {
        try (Stream<ProcessHandle> children = ProcessHandle.current().descendants()) {
            long kibibytes = LongStream.concat(
                            LongStream.of(ProcessHandle.current().pid()), children.mapToLong(ProcessHandle::pid))
                    .map(MemoryUse::kibibytes)
                    .sum();
            return kibibytes == 0 ? OptionalLong.empty() : OptionalLong.of(kibibytes / 1024);
        }
    }

    /** Resident memory of a process in kibibytes; 0 if the process has ended, or the system does not tell. */
    private static long kibibytes(long process) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(process), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
