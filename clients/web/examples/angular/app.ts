/** A standalone component; a signal shows the change without zone.js. */
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

  take(event: Event): void {
    const { files } = (event as CustomEvent<{ files: readonly File[] }>).detail;
    this.pdf.set(files[0]);
  }
}
