/** Tests of what users get: the archive and the published libraries. Start with {@code ArchiveITCase}. */
package io.kipimo.release;
