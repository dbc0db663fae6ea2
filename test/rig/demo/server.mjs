import { createServer } from 'node:http';

const server = createServer((request, response) => {
  console.log(`${new Date().toISOString()} \x1b[36m${request.method}\x1b[0m ${request.url}`);
  response.end('Hello from the demo server.\n');
});
server.listen(0, '127.0.0.1', () => {
  console.log(`\x1b[32mready\x1b[0m on http://127.0.0.1:${server.address().port}/ (Ctrl-C ends it)`);
});

let ticks = 0;
setInterval(() => console.log(`up for ${++ticks * 5} s`), 5000);
