/** The viewer with its style sheet: loaded when a page is opened for the first time. */
import type { LateDialog } from '../../lateParts.js';
import type { PagesParts } from '../parts.js';
import { createViewer } from './viewer.js';
import { viewerView } from './viewerView.js';

export { default as style } from '../../styles/viewer.css';

/** It opens with the selected page. */
export function createViewerPart(parts: PagesParts): LateDialog {
  const viewer = createViewer(parts);
  return { draw: () => viewerView(viewer, parts), open: viewer.open };
}
