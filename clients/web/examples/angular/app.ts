/** A standalone component; a signal shows the change without zone.js. */
import type { PlatenScanEventMap } from '@platen/client/component';
import '@platen/client/component';
import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core';

@Component({
  selector: 'app-root',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <platen-scan (platen-done)="take($event)"></platen-scan>
      @if (pdf(); as file) {
        <output>{{ file.name }}, {{ file.size }} bytes</output>
      }
    </main>
  `,
})
export class App {
  readonly pdf = signal<File | undefined>(undefined);

  take({ detail }: PlatenScanEventMap['platen-done']): void {
    this.pdf.set(detail.files[0]);
  }
}
