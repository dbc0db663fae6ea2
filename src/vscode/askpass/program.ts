import net from 'node:net';

// ssh runs this program to ask a person: it passes the question on to the window that has started ssh.
const { EXEC_SESSIONS_ASKPASS: socket = '', EXEC_SESSIONS_ASKPASS_TOKEN: token = '' } = process.env;
const question = {
  token,
  ssh: process.ppid,
  text: process.argv[2] ?? '',
  isNotice: process.env['SSH_ASKPASS_PROMPT'] === 'none',
};
let answer = '';
const connection = net.connect(socket, () => connection.write(`${JSON.stringify(question)}\n`));
connection.setEncoding('utf8').on('data', (text: string) => (answer += text));
connection.on('error', () => (process.exitCode = 1));
connection.on('close', () => {
  if (answer.endsWith('\n')) {
    process.stdout.write(answer);
  } else {
    process.exitCode = 1;
  }
});
