/** The icons of the viewer and of a page's facts. */
import { svg } from 'lit-html';

export const pageIcons = {
  copy: svg`<path d="M9 9h10v11H9zM15 9V4H5v11h4"/>`,
  plus: svg`<path d="M12 5v14M5 12h14"/>`,
  minus: svg`<path d="M5 12h14"/>`,
  left: svg`<path d="m14.5 5-7 7 7 7"/>`,
  right: svg`<path d="m9.5 5 7 7-7 7"/>`,
  check: svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,
  linear: svg`<path d="M4 5v14M7 5v14M9.5 5v14M13 5v14M15 5v14M18 5v14M20 5v14"/>`,
  matrix: svg`<path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 14h2v2h-2zM14 18h2v2h-2zM18 18h2v2h-2zM6.5 6.5h1v1h-1zM16.5 6.5h1v1h-1zM6.5 16.5h1v1h-1z"/>`,
} as const;
