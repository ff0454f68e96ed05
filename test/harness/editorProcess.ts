// A process that runs the tests in the extension host: editorProcess.ts LIMIT_MS DIALECT… (field runs first)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { chooseEditor } from './chooseEditor.ts';
import { runInEditor } from './editorRun.ts';
import { sampleForgeProgram } from '../support/sampleForge.ts';
import { resultsFolder } from './places.ts';
import { shownProblem } from './plainProblem.ts';
import { readyForge } from './sampleForgeProcess.ts';

/** Runs `work` with the ready line of a sample forge that tests steer. */
async function withForge<T>(dialect: string, work: (line: string) => Promise<T>): Promise<T> {
	const cache = join(resultsFolder, 'sample-forge-cache');
	const child = spawn(process.execPath, [sampleForgeProgram, '--dialect', dialect, '--cache', cache]);
	const closed = once(child, 'close');
	try {
		return await work((await readyForge(child)).line);
	} finally {
		child.stdin.end();
		await closed;
	}
}

// What was started is ended when this process exits, and so it must not be cut off.
process.once('SIGTERM', () => process.exit(143));
const [, , limitMs = '', ...dialects] = process.argv;
try {
	const editor = await chooseEditor(process.env);
	console.log(`the extension host is that of a ${editor.kind} editor, because ${editor.why}`);
	const run = (more: Readonly<Record<string, string>> = {}): Promise<boolean> =>
		runInEditor(editor, { env: { ...testVariables(), ...more }, limitMs: Number(limitMs) });
	const runSteered = (dialect: string): Promise<boolean> =>
		withForge(dialect, (line) => run({ FORGE_DESK_SAMPLE_FORGE: line }));
	// A host knows one sample forge for its life. In `field` the extension starts it, unless the test has to steer it.
	const isSteered = process.env['FORGE_DESK_STEERED'] !== undefined;
	const isFirstGood = dialects.includes('field') ? await (isSteered ? runSteered('field') : run()) : true;
	const isSecondGood = dialects.includes('document') ? await runSteered('document') : true;
	process.exitCode = isFirstGood && isSecondGood ? 0 : 1;
} catch (error) {
	console.error(shownProblem(error));
	process.exitCode = 1;
}

/** What reaches the tests: an editor takes variables from whoever starts it only when it is handed them. */
function testVariables(): Readonly<Record<string, string>> {
	return Object.fromEntries(
		Object.entries(process.env).flatMap(([name, value]) =>
			name.startsWith('FORGE_DESK_') && value !== undefined ? [[name, value]] : [],
		),
	);
}
