/**
 * What one version left behind, taken up by another. Read {@link
 * io.kipimo.endtoend.upgrade.UpgradeITCase} first.
 */
package io.kipimo.endtoend.upgrade;
