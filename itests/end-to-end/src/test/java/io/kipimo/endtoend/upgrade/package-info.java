/**
 * Tests that one version resumes from the savepoints of another. Read {@link io.kipimo.endtoend.upgrade.UpgradeITCase}
 * first.
 */
package io.kipimo.endtoend.upgrade;
