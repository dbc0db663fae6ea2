import { select, text } from '@clack/prompts';

const name = await text({ message: 'Name?' });
const colour = await select({
  message: 'Colour?',
  options: ['alpha', 'beta', 'gamma'].map((value) => ({ value, label: value })),
});
console.log(`chosen: ${name}, ${colour}`);
