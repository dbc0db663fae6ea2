import assert from 'node:assert/strict';
import { diagnosticsText } from '../../../src/vscode/diagnostics/diagnosticsText.js';
import { RecentProblems } from '../../../src/vscode/log.js';

describe('The diagnostics', () => {
  it('have each fact on a line, without evident secrets and the name of the home directory', () => {
    const text = diagnosticsText({
      homeDir: '/home/ada',
      sections: [
        {
          title: 'Environment build',
          facts: [
            ['Reached by', 'command: ssh --password hidden build'],
            ['Directory', '/home/ada/work\n## Versions'],
          ],
        },
      ],
      problems: [{ at: new Date(0), level: 'error', text: 'API_TOKEN=hidden in /home/ada\nof all' }],
    });
    assert.equal(
      text,
      [
        '# Exec Sessions: Diagnostics',
        '',
        '## Environment build',
        '',
        '- Reached by: command: ssh --password *** build',
        '- Directory: ~/work ## Versions',
        '',
        '## Last warnings and errors',
        '',
        '- 1970-01-01T00:00:00.000Z error: API_TOKEN=*** in ~ of all',
        '',
      ].join('\n'),
    );
  });

  it('have the last problems, oldest first', () => {
    const problems = new RecentProblems();
    for (let number = 1; number <= 25; number += 1) {
      problems.add('warning', `number ${number}`);
    }
    assert.equal(problems.all.length, 20);
    assert.equal(problems.all[0]?.text, 'number 6');
    assert.equal(problems.all.at(-1)?.text, 'number 25');
  });
});
