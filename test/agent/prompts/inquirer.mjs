import input from '@inquirer/input';
import select from '@inquirer/select';

const name = await input({ message: 'Name?' });
const colour = await select({ message: 'Colour?', choices: ['alpha', 'beta', 'gamma'] });
console.log(`chosen: ${name}, ${colour}`);
