/**
 * Answer quality over time: panes of sums, sliding windows and control batches made of them (Ubora, sec. 8). Read
 * {@link io.kipimo.core.quality.window.QualityWindows} first.
 */
package io.kipimo.core.quality.window;
