/** `<platen-scan>` in templates that are type-checked: React's JSX and Vue's components. */
import type { StartParameters } from '../client/shapes.js';
import type { PlatenScan } from './element.js';
import type { PlatenScanEventMap } from './elementTypes.js';

/** The element's attributes, as a template of a framework sets them. */
export interface PlatenScanAttributes {
  scanner?: string | undefined;
  profile?: string | undefined;
  /** Frameworks set the property. In HTML, the attribute is JSON. */
  parameters?: StartParameters | undefined;
  format?: string | undefined;
  actions?: string | undefined;
  service?: string | undefined;
  install?: string | undefined;
  /** Read when the element is put into a document. */
  keys?: 'page' | undefined;
  lang?: string | undefined;
  name?: string | undefined;
  required?: boolean | undefined;
}

/** React's spelling of listeners for events of its own making: `on` and the name. */
export type PlatenScanListeners = {
  [Name in keyof PlatenScanEventMap as `on${Name}`]?: ((event: PlatenScanEventMap[Name]) => void) | undefined;
};

/** Vue's spelling of the same. */
export interface PlatenScanVueListeners {
  onPlatenDone?: ((event: PlatenScanEventMap['platen-done']) => void) | undefined;
  onPlatenChange?: ((event: PlatenScanEventMap['platen-change']) => void) | undefined;
  onPlatenError?: ((event: PlatenScanEventMap['platen-error']) => void) | undefined;
}

// TypeScript ignores the lines below this comment where the framework is not installed, in the packed declarations too.

/** @ts-ignore */
type InReact = import('react').HTMLAttributes<PlatenScan> & import('react').ClassAttributes<PlatenScan>;
/** @ts-ignore */
type InVue = import('vue').HTMLAttributes & import('vue').VNodeProps;

/** @ts-ignore */
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'platen-scan': PlatenScanAttributes & PlatenScanListeners & Omit<InReact, keyof PlatenScanAttributes>;
    }
  }
}

/** @ts-ignore */
declare module 'vue' {
  interface GlobalComponents {
    'platen-scan': new () => {
      $props: PlatenScanAttributes & PlatenScanVueListeners & Omit<InVue, keyof PlatenScanAttributes>;
    };
  }
}
