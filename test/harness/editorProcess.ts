// A process that runs the tests in the extension host: editorProcess.ts LIMIT_MS DIALECT… (field runs first)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { chooseEditor } from './chooseEditor.ts';
import { runInEditor } from './editorRun.ts';
import { resultsFolder, root } from './places.ts';
import { shownProblem } from './plainProblem.ts';
import { readyForge } from './sampleForgeProcess.ts';

/** Does something while a sample forge of the other dialect runs, given its ready line. */
async function withDocumentForge<T>(work: (line: string) => Promise<T>): Promise<T> {
	const cache = join(resultsFolder, 'sample-forge-cache');
	const program = join(root, 'dist/sampleForge.cjs');
	const child = spawn(process.execPath, [program, '--dialect', 'document', '--cache', cache]);
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
	// A host knows one sample forge for all its life: the first starts its own, the second is told of another.
	const isFirstGood = dialects.includes('field') ? await run() : true;
	const isSecondGood = dialects.includes('document')
		? await withDocumentForge((line) => run({ FORGE_DESK_SAMPLE_FORGE: line }))
		: true;
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
