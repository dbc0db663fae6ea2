import enquirer from 'enquirer';

const { name } = await enquirer.prompt({ type: 'input', name: 'name', message: 'Name?' });
const { colour } = await enquirer.prompt({
  type: 'select',
  name: 'colour',
  message: 'Colour?',
  choices: ['alpha', 'beta', 'gamma'],
});
console.log(`chosen: ${name}, ${colour}`);
