/** React 19: `on` and an event's name, in the element's own spelling, is a listener. */
import '@platen/client/component';
import { useState } from 'react';

export function App() {
  const [pdf, setPdf] = useState();

  return (
    <main>
      <platen-scan onplaten-done={({ detail }) => setPdf(detail.files[0])} />
      {pdf && (
        <output>
          {pdf.name}, {pdf.size} bytes
        </output>
      )}
    </main>
  );
}
