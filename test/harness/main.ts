// Runs every command of package.json, under the project's Node.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChildren } from './children.ts';
import { commands } from './commands.ts';
import { endLeftovers, runMark } from './leftovers.ts';
import { shownProblem } from './plainProblem.ts';

const [, , name = '', ...args] = process.argv;
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
	console.error(`There is no command "${name}". There are: ${Object.keys(commands).join(', ')}.`);
	process.exit(1);
}

// A command inside of a stage is a part of that run.
const mark = [process.env[runMark] ?? [], `${process.pid}-${Date.now()}`].flat().join('/');
process.env[runMark] = mark;
// Removed at the end of the run.
const temporary = mkdtempSync(join(tmpdir(), 'forge-desk-'));
process.env['TMPDIR'] = temporary;
const children = openChildren(mark);
process.once('exit', () => {
	children.stopAll();
	endLeftovers(mark);
	rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => process.exit(signal === 'SIGINT' ? 130 : 143));
}
try {
	process.exit(await command({ args, children }));
} catch (error) {
	console.error(shownProblem(error));
	process.exit(1);
}
