/** Every mutant of a TypeScript file: the same text with one fault, as a person might make it. */
import { parseSync, transformSync } from '@swc/core';

/** What an operator becomes. */
const others = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
};
const assignments = { '+=': '-=', '-=': '+=', '*=': '/=', '??=': '=', '||=': '=', '|=': '=' };
/** With a space it is a sentence for people, which no program reads. */
const isSentence = text => /\s/.test(text);

/**
 * @param text of the file
 * @returns mutants in the order of the file: where (line from 1), what was there and what is there, and the whole file as
 * JavaScript; without those that do not compile
 */
export function mutantsOf(text) {
  // swc counts bytes, from a start of its own: that of a statement before the first one.
  const prefix = '0;';
  const bytes = Buffer.from(prefix + text);
  const module = parseSync(prefix + text, { syntax: 'typescript', target: 'es2022' });
  const base = module.body[0].span.start;
  const found = [];
  const at = ({ span }) => [span.start - base, span.end - base];
  const slice = (start, end) => bytes.subarray(start, end).toString();

  function add(kind, start, end, replacement) {
    const changed = Buffer.concat([bytes.subarray(0, start), Buffer.from(replacement), bytes.subarray(end)]);
    const source = javaScript(changed.toString().slice(prefix.length));
    const line = slice(0, start).split('\n').length;
    if (source !== undefined) found.push({ kind, line, was: slice(start, end), is: replacement, source });
  }
  function negate(node) {
    // The visitors of `!x` and of `x === y` do it in their own way.
    if (!node || node.operator === '!' || /^[!=]==$/.test(node.operator)) return;
    add('condition', ...at(node), `!(${slice(...at(node))})`);
  }
  function operator(left, right, table) {
    const [start, end] = [at(left)[1], at(right)[0]];
    const gap = slice(start, end);
    const name = gap.replace(/[\s()]/g, '');
    if (!table[name]) return;
    const where = start + Buffer.byteLength(gap.slice(0, gap.indexOf(name)));
    add('operator', where, where + Buffer.byteLength(name), table[name]);
  }

  const visitors = {
    IfStatement: ({ test }) => negate(test),
    ConditionalExpression: ({ test }) => negate(test),
    WhileStatement: ({ test }) => negate(test),
    ForStatement: ({ test }) => negate(test),
    BinaryExpression(node) {
      if (node.operator === '??') add('operator', ...at(node), slice(...at(node.left)));
      else operator(node.left, node.right, others);
    },
    AssignmentExpression: ({ left, right }) => operator(left, right, assignments),
    UnaryExpression: node => node.operator === '!' && add('condition', ...at(node), slice(...at(node.argument))),
    UpdateExpression: node => {
      const was = slice(...at(node));
      add('operator', ...at(node), was.includes('++') ? was.replace('++', '--') : was.replace('--', '++'));
    },
    AwaitExpression: node => add('await', ...at(node), slice(...at(node.argument))),
    ThrowStatement: node => add('throw', ...at(node), ';'),
    ExpressionStatement: node => add('statement', ...at(node), ';'),
    ReturnStatement: node => add('return', ...at(node), node.argument ? 'return undefined;' : ';'),
    BooleanLiteral: node => add('value', ...at(node), String(!node.value)),
    NumericLiteral: node => add('value', ...at(node), node.value === 0 ? '1' : String(node.value + 1)),
    StringLiteral: node => !isSentence(node.value) && add('value', ...at(node), `'mutant'`),
    ArrayExpression: node => node.elements.length > 0 && add('value', ...at(node), '[]'),
  };
  const emptied = body => {
    if (body?.type === 'BlockStatement' && body.stmts.length > 1) add('body', ...at(body), '{}');
  };

  function walk(node) {
    if (Array.isArray(node)) return void node.forEach(walk);
    if (typeof node !== 'object' || node === null) return;
    // Arguments of calls are wrapped without a type.
    const { type = '' } = node;
    if (/^(Ts(?!AsExpression|NonNull|Satisfies)|Import|ExportAll|ExportNamed)/.test(type)) return;
    visitors[type]?.(node);
    if (/Function|Method/.test(type)) emptied(node.body);
    for (const [key, child] of Object.entries(node)) {
      // Names of properties and types have no effect of their own.
      const isName = key === 'key' && child?.type !== 'Computed';
      if (key !== 'span' && key !== 'typeAnnotation' && key !== 'returnType' && !isName) walk(child);
    }
  }
  walk(module.body.slice(1));
  return found;
}

function javaScript(text) {
  const jsc = { parser: { syntax: 'typescript' }, target: 'es2022' };
  try {
    return transformSync(text, { jsc, module: { type: 'es6' }, swcrc: false }).code;
  } catch {
    return undefined;
  }
}
