// A process of its own that runs the tests of one folder: mochaProcess.ts FOLDER REPORT TIMEOUT_MS REPORTER [GREP]
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.ts';
import { runMocha } from './runMocha.ts';

const [, , folder = '', report = '', timeoutMs = '', reporter = '', grep = ''] = process.argv;
const files = globSync(`${folder}/**/*.test.ts`, { cwd: root })
	.toSorted()
	.map((file) => join(root, file));
const good = await runMocha({
	files,
	report,
	timeoutMs: Number(timeoutMs),
	grep,
	reporter: reporter === 'spec' ? 'spec' : 'dot',
});
process.exitCode = good ? 0 : 1;

// Whatever a test started it also has to stop. If all of them did, this process ends now by itself.
setTimeout(() => {
	console.error(`The tests left something open: ${process.getActiveResourcesInfo().join(', ')}`);
	process.exit(1);
}, 5_000).unref();
