package io.kipimo.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Memory of this process and its children. */
final class MemoryUse {
    private MemoryUse() {}

    /** Resident mebibytes; empty where the system does not tell, which is everywhere but on Linux. */
    static OptionalLong mebibytes() {
        try (Stream<ProcessHandle> children = ProcessHandle.current().descendants()) {
            long kibibytes = LongStream.concat(
                            LongStream.of(ProcessHandle.current().pid()), children.mapToLong(ProcessHandle::pid))
                    .map(MemoryUse::kibibytes)
                    .sum();
            return kibibytes == 0 ? OptionalLong.empty() : OptionalLong.of(kibibytes / 1024);
        }
    }

    /** 0: the process has ended, or the system does not tell. */
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
