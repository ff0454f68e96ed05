import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { limitMs } from '../support/pace.ts';

/** A test as its process told of it. */
export interface SeenTest {
	readonly file: string;
	readonly title: string;
	readonly ms: number;
}

/** Set for everything that runs in a copy, where nobody may plant faults once more: that would never end. */
export const insideMark = 'FORGE_DESK_INSIDE_MUTANTS';

/** What came of some test files in a process of their own. */
export type FilesRun =
	| { readonly kind: 'passed'; readonly tests: readonly SeenTest[]; readonly ms: number }
	| { readonly kind: 'failed'; readonly test: SeenTest; readonly error: string; readonly ms: number }
	/** The process ended without saying that a test failed. */
	| { readonly kind: 'died'; readonly output: string; readonly ms: number }
	| { readonly kind: 'hung'; readonly ms: number };

export interface FilesWish {
	/** The copy of the sources. */
	readonly folder: string;
	/** Relative to the folder, in this order. */
	readonly files: readonly string[];
	/** The longest that one test may take that says nothing else, on a machine that does nothing else. */
	readonly timeoutMs: number;
	/** The longest that all of them may take, on such a machine. */
	readonly wholeMs: number;
	readonly signal: AbortSignal;
}

const scaledTests = 'test/mutants/scaledTests.ts';

/** Runs test files in one process, and stops at the first failure. */
export async function runFiles({ folder, files, timeoutMs, wholeMs, signal }: FilesWish): Promise<FilesRun> {
	const start = performance.now();
	const mocha = join(folder, 'node_modules/mocha/bin/mocha.js');
	const options = ['--no-package', '--no-config', '--ui', 'tdd', '--bail', '--exit', '--reporter', 'json-stream'];
	const limits = ['--timeout', String(timeoutMs), '--require', join(folder, scaledTests)];
	const child = spawn(process.execPath, [mocha, ...options, ...limits, ...files], {
		cwd: folder,
		// A group of its own, so that what a fault left running ends with it.
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: environmentOf(folder),
	});
	const endGroup = (): void => {
		try {
			if (child.pid !== undefined) {
				process.kill(-child.pid, 'SIGKILL');
			}
		} catch {
			// Nothing of it is left.
		}
	};
	let output = '';
	const keep = (chunk: Buffer): void => {
		output += chunk.toString();
	};
	child.stdout.on('data', keep);
	child.stderr.on('data', keep);
	let isHung = false;
	const limit = setTimeout(() => {
		isHung = true;
		endGroup();
	}, limitMs(wholeMs));
	signal.addEventListener('abort', endGroup);
	try {
		const code = await new Promise<number | null>((resolve, reject) => {
			child.once('error', reject);
			// What the tests left running may hold the pipes open for ever: it ends with them.
			child.once('exit', endGroup);
			child.once('close', resolve);
		});
		signal.throwIfAborted();
		const ms = performance.now() - start;
		return isHung ? { kind: 'hung', ms } : readStream(output, { code, folder, ms });
	} finally {
		clearTimeout(limit);
		signal.removeEventListener('abort', endGroup);
	}
}

/** One dialect is enough to notice a fault, and the same sources are compiled hundreds of times. */
function environmentOf(folder: string): NodeJS.ProcessEnv {
	return {
		FORGE_DESK_DIALECTS: 'field',
		NODE_COMPILE_CACHE: join(folder, 'compiled'),
		...process.env,
		FORGE_DESK_COUNTS: 'small',
		[insideMark]: 'yes',
	};
}

interface Ended {
	readonly code: number | null;
	readonly folder: string;
	readonly ms: number;
}

/** Reads mocha's lines of JSON, among which stands whatever the tests print. */
export function readStream(output: string, { code, folder, ms }: Ended): FilesRun {
	const tests: SeenTest[] = [];
	for (const line of output.split('\n')) {
		const event = readEvent(line, folder);
		if (event?.name === 'fail') {
			return { kind: 'failed', test: event.test, error: event.error, ms };
		}
		if (event?.name === 'pass') {
			tests.push(event.test);
		}
	}
	return code === 0 && tests.length > 0 && output.includes('\n["end",')
		? { kind: 'passed', tests, ms }
		: { kind: 'died', output: output.slice(-2_000), ms };
}

interface TestEvent {
	readonly name: 'pass' | 'fail';
	readonly test: SeenTest;
	readonly error: string;
}

function readEvent(line: string, folder: string): TestEvent | undefined {
	if (!line.startsWith('["pass",') && !line.startsWith('["fail",')) {
		return undefined;
	}
	const parsed: unknown = JSON.parse(line);
	const [name, fields] = Array.isArray(parsed) ? Array.from<unknown>(parsed) : [];
	const text = (key: string): string => {
		const value = field(fields, key);
		return typeof value === 'string' ? value : '';
	};
	const test = {
		file: text('file').replace(`${folder}/`, ''),
		title: text('fullTitle'),
		ms: Number(field(fields, 'duration') ?? 0),
	};
	return { name: name === 'pass' ? name : 'fail', test, error: text('err') };
}

function field(value: unknown, key: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
