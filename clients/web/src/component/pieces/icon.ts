/** The icons, hidden from screen readers. */
import { html, svg, type TemplateResult } from 'lit-html';

const shapes = {
  scan: svg`<path d="M4 8V6a2 2 0 0 1 2-2h2M16 4h2a2 2 0 0 1 2 2v2M20 16v2a2 2 0 0 1-2 2h-2M8 20H6a2 2 0 0 1-2-2v-2M3 12h18"/>`,
  auto: svg`<path d="M6 9V4h12v5M4 9h16v8H4zM8 14h8M12 17v4M9.5 18.8 12 21.2l2.5-2.4"/>`,
  stop: svg`<path d="M6.5 6.5h11v11h-11z" fill="currentColor"/>`,
  save: svg`<path d="M12 4v11M7.5 11 12 15.5 16.5 11M5 19.5h14"/>`,
  trash: svg`<path d="M5 7h14M10 7V4.5h4V7M7 7l.8 13h8.4L17 7M10.5 11v5M13.5 11v5"/>`,
  expand: svg`<path d="M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5"/>`,
  close: svg`<path d="m6 6 12 12M18 6 6 18"/>`,
  refresh: svg`<path d="M19 6v5h-5M19 11a7.3 7.3 0 1 0-1.6 5.2"/>`,
  alert: svg`<path d="M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.4"/>`,
  info: svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 11v5.5M12 7.5v.4"/>`,
  feeder: svg`<path d="M7 10V4h10v6M3.5 10h17v7h-17zM6.5 20.5h11M7 13.5h6"/>`,
  flatbed: svg`<path d="M3.5 13h17v5h-17zM4.5 13l13-7.5M7 15.5h5"/>`,
  undo: svg`<path d="M8.5 6 4.5 10l4 4M5 10h8.5a5 5 0 0 1 0 10H10"/>`,
  redo: svg`<path d="m15.5 6 4 4-4 4M19 10h-8.5a5 5 0 0 0 0 10H14"/>`,
  turn: svg`<path d="M19 5v5h-5M18.7 10A7.3 7.3 0 1 0 19 14"/>`,
  print: svg`<path d="M7 8V4h10v4M7 17H4.5V8.5h15V17H17M7.5 14h9v6h-9z"/>`,
  again: svg`<path d="M6 3.5h9l3.5 3.5v6M6 3.5v17h6M15 17.5a3 3 0 1 0 3-3h3M19 12.5l2 2-2 2"/>`,
} as const;

export type IconName = keyof typeof shapes;

/** One of these, or another part's own. */
export type Icon = IconName | Shape;
export type Shape = ReturnType<typeof svg>;

export const icon = (which: Icon): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    ${typeof which === 'string' ? shapes[which] : which}
  </svg>`;
