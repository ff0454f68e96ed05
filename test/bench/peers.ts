import { execFileSync, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { PlainProblem } from '../harness/plainProblem.ts';
import { gitEnvironment } from '../support/patchMakerGit.ts';
import type { Contender } from './interleaved.ts';

/** A Python environment that also holds `node_modules`. Without it, Python programs come from the PATH. */
const peersVariable = 'FORGE_DESK_PEERS';
const given = process.env[peersVariable];
const folder = given === undefined ? undefined : resolve(given);

/** A measurement compares with a program that is not installed. */
export class AbsentPeer extends PlainProblem {
	constructor(peer: string, cause: unknown) {
		super(`${peer} does not start. Install it into the folder of ${peersVariable}, see docs/benchmarks.md`, { cause });
	}
}

/** Of a program of others, without the machine's settings. `home`: an empty folder. */
export function peerEnvironment(home: string): NodeJS.ProcessEnv {
	const { PATH = '' } = process.env;
	return {
		...gitEnvironment(home),
		PATH: folder === undefined ? PATH : [join(folder, 'bin'), PATH].join(delimiter),
		HOME: home,
		XDG_CACHE_HOME: home,
		XDG_CONFIG_HOME: home,
		XDG_DATA_HOME: home,
	};
}

/** Throws an `AbsentPeer` if the run fails. */
export function mustStart(peer: string, program: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
	try {
		execFileSync(program, args, { env, stdio: 'pipe' });
	} catch (error) {
		throw new AbsentPeer(peer, error);
	}
}

const peerFunction = v.custom<(text: string) => unknown>((found) => typeof found === 'function');

/** A package of npm that is a function. */
export function packagePeer(name: string): (text: string) => unknown {
	const from = createRequire(join(folder ?? import.meta.dirname, 'none.js'));
	let found: unknown;
	try {
		found = from(name);
	} catch (error) {
		throw new AbsentPeer(name, error);
	}
	return v.parse(peerFunction, found);
}

/** A Python package in a process that repeats its work (peerLoop.py). */
export interface PythonPeer {
	/** Its report on the first run. */
	readonly told: unknown;
	readonly contender: Contender;
}

/** `owned` ends it. */
export async function pythonPeer(
	name: string,
	args: readonly string[],
	env: NodeJS.ProcessEnv,
	owned: AsyncDisposableStack,
): Promise<PythonPeer> {
	mustStart(name, 'python3', ['-c', `import ${name}`], env);
	const child = spawn('python3', [join(import.meta.dirname, 'peerLoop.py'), name, ...args], {
		env,
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	owned.defer(() => void child.kill());
	const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
	const answer = async (): Promise<unknown> => {
		const { value, done } = await lines.next();
		if (done === true) {
			throw new Error(`${name} ended`);
		}
		return JSON.parse(value);
	};
	const told = await answer();
	const run = async (): Promise<number> => {
		child.stdin.write('\n');
		return Number(await answer());
	};
	return { told, contender: { name, run } };
}
