const http = require('http');
const sleep = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

function get(path, seconds) {
  return new Promise((done) => {
    const options = seconds ? { timeout: seconds * 1000 } : {};
    const request = http.get(process.env.API_URL + path, options, (answer) => {
      answer.resume().on('end', () => done(answer.statusCode));
    });
    if (seconds) request.on('timeout', () => request.destroy());
    request.on('error', () => done(0));
  });
}

const cases = {
  sleep: async () => { await sleep(10); await get('/sleep'); },
  'time-out': () => get('/silent', 20),
  'back-off': async () => {
    for (let pause = 1; await get('/busy', 20) !== 200; pause *= 2) await sleep(pause);
  },
  cut: async () => { while (await get('/cut', 20) !== 200) await sleep(5); },
  hang: () => get('/silent'),
};
cases[process.argv[2]]().then(() => process.exit(0));
