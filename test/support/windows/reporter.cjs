// Writes one line for each test into a file at once: what a mocha that crashes or hangs has seen until then is not lost.
const { appendFileSync } = require('node:fs');

module.exports = class {
  constructor(runner, { reporterOptions: { output } }) {
    let last = Date.now();
    const write = (event, test, err) => {
      const told = test && { title: test.title, fullTitle: test.fullTitle(), file: test.file };
      // What went before a test, such as its hooks, counts to it.
      const now = Date.now();
      const took = ['passes', 'failures'].includes(event) && { duration: now - last };
      if (took) last = now;
      const failure = err && { message: String(err.message ?? err), stack: String(err.stack ?? err) };
      appendFileSync(output, `${JSON.stringify({ event, ...told, ...took, ...(failure && { err: failure }) })}\n`);
    };
    runner.on('test', (test) => write('begins', test));
    runner.on('pass', (test) => write('passes', test));
    runner.on('pending', (test) => write('pending', test));
    runner.on('fail', (test, err) => write('failures', test, err));
    runner.on('end', () => write('ends'));
  }
};
