/** How the page of a report looks: light and dark, on a telephone and on paper. */
export const style = `
:root { color-scheme: light dark; --text: #1c2024; --soft: #5c6670; --line: #d8dde3; --back: #ffffff; --pass: #18794e; --fail: #c62828; --open: #8a6100; --box: #f5f7f9; }
@media (prefers-color-scheme: dark) { :root { --text: #e8ecf0; --soft: #a3adb8; --line: #39424c; --back: #15181c; --pass: #4cc38a; --fail: #ff8a80; --open: #f0c04a; --box: #1e2328; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); }
h1 { margin: 0; font-size: 1.6rem; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.2rem; }
h3 { margin: 1.5rem 0 0.5rem; font-size: 1rem; }
.kind, .facts, .of { margin: 0; color: var(--soft); }
.score { margin: 0.5rem 0; font-size: 1.4rem; }
.score strong { font-size: 4rem; line-height: 1; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 500; overflow-wrap: normal; }
td:last-child, th:last-child { padding-right: 0; text-align: right; white-space: nowrap; }
.pass { color: var(--pass); } .fail { color: var(--fail); } .open { color: var(--open); }
.pass, .fail, .open { font-weight: 700; }
.found { padding: 0; list-style: none; }
.found li { margin: 0 0 0.75rem; padding: 0.75rem; border-left: 4px solid var(--line); background: var(--box); break-inside: avoid; }
.found p { margin: 0; overflow-wrap: anywhere; }
pre { margin: 0.5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.875rem; }
code { font-size: 0.875rem; overflow-wrap: anywhere; }
tr { break-inside: avoid; }
h2, h3 { break-after: avoid; }
@media print { :root { --text: #000; --soft: #444; --line: #bbb; --back: #fff; --pass: #18794e; --fail: #c62828; --open: #8a6100; --box: #fff; } body { max-width: none; padding: 0; font-size: 10pt; } }
`;
