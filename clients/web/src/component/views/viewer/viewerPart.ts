/** The viewer with its style sheet: loaded when a page is opened for the first time. */
import type { TemplateResult } from 'lit-html';
import type { PagesParts } from '../parts.js';
import { createViewer } from './viewer.js';
import { viewerView } from './viewerView.js';

export interface ViewerPart {
  draw(): TemplateResult;
  /** With the selected page. Call it when it is drawn. */
  open(): void;
}

export { default as style } from '../../styles/viewer.css';

export function createViewerPart(parts: PagesParts): ViewerPart {
  const viewer = createViewer(parts);
  return { draw: () => viewerView(viewer, parts), open: viewer.open };
}
