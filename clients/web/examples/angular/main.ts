/** Shows the application. The compiler is there because this example is not built by Angular's own tools. */
import '@angular/compiler';
import { provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { App } from './app.js';

document.body.append(document.createElement('app-root'));
await bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] });
