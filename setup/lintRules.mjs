/** Platen's own rules for oxlint. `.oxlintrc.json` says to which files they apply. */

/** Numbers that always mean a status. 200 is a resolution too, and counts only if a status is set or compared. */
const status = /^(?:20[1-6]|30[1-8]|4(?:0[1-9]|1\d|2\d|31|51)|50[1-5])$/;
const member = node => node?.type === 'MemberExpression' && node.property.name;
const isStatus = name => name === 'status' || name === 'statusCode';

/** @returns whether a number from 100 to 599 is in a place where only a status can be */
function meansStatus(node) {
  const { parent } = node;
  if (parent.type === 'CallExpression') {
    return parent.arguments[0] === node && /^(?:code|status|writeHead)$/.test(member(parent.callee));
  }
  if (parent.type === 'Property') return parent.key === node || isStatus(parent.key.name);
  return parent.type === 'BinaryExpression' && (isStatus(member(parent.left)) || isStatus(parent.left.name));
}

const statusNumbers = context => ({
  Literal(node) {
    if (typeof node.value !== 'number' || !/^[1-5]\d\d$/.test(node.raw)) return;
    if (!status.test(node.raw) && !meansStatus(node)) return;
    context.report({ node, message: 'The numbers of HTTP statuses are in server/src/service/http/errors.ts only.' });
  },
});

function pluginNames(context) {
  const check = (node, text) => {
    const [name] =
      /@platen\/(?!(?:core|server|client|conformance|driver-(?:kit|remote))\b)[a-z][\w-]*/.exec(text) ?? [];
    if (!name) return;
    context.report({ node, message: `The server names no plugin (${name}); its default configuration does.` });
  };
  return {
    Literal: node => typeof node.value === 'string' && check(node, node.value),
    TemplateElement: node => check(node, node.value.raw),
  };
}

const openingSentence = context => ({
  Program(node) {
    if (/^(?:#!.*\n)?\s*\/\*\*\s+(?:\*\s+)?[^*\s]/.test(context.sourceCode.text)) return;
    context.report({
      node: node.body[0] ?? node,
      message: 'Open the file with a sentence, /** … */, that says its role.',
    });
  },
});

export default {
  meta: { name: 'platen' },
  rules: {
    'status-numbers': { create: statusNumbers },
    'plugin-names': { create: pluginNames },
    'opening-sentence': { create: openingSentence },
  },
};
