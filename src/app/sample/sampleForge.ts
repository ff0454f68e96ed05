import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { unlessAborted } from '../../base/abort.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import { readReadyLine, type RunningSample } from '../../editor/accounts/sampleSource.ts';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const maxStartMs = 60_000;

/**
 * Starts the sample forge on demand. Adopts a running one from its ready line in `FORGE_DESK_SAMPLE_FORGE`; an adopted
 * one ends with its parent process. Sessions stay in memory: tokens die with the process, so the next start would
 * reject them. `programPath`: path of the bundle `dist/sampleForge.js`.
 * `environment`: the editor's environment. `findGit`: absolute path of git, outside the open folders.
 */
export function sampleForge(
	programPath: string,
	environment: Readonly<Record<string, string | undefined>>,
	findGit: (signal: AbortSignal) => Promise<string | undefined>,
	log: Log,
) {
	const changed = new Emitter<void>();
	const adopted = readReadyLine(environment['FORGE_DESK_SAMPLE_FORGE'] ?? '');
	let running: RunningSample | undefined = adopted;
	let starting: Promise<RunningSample> | undefined;
	let child: Child | undefined;
	const life = new AbortController();

	async function stop(): Promise<void> {
		const ending = child;
		if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) {
			return;
		}
		const closed = once(ending, 'close');
		// The process cleans up and exits when its standard input closes.
		ending.stdin.end();
		await closed;
	}

	function ended(of: Child): void {
		if (child !== of) {
			return;
		}
		child = undefined;
		if (running !== undefined) {
			running = undefined;
			log.info('The sample forge has ended');
			changed.fire();
		}
	}

	async function launch(): Promise<RunningSample> {
		const git = await findGit(life.signal);
		life.signal.throwIfAborted();
		// Windows spells it "Path".
		const kept = Object.entries(environment).filter(([name]) => name.toUpperCase() !== 'PATH');
		const started = spawn(process.execPath, [programPath], {
			env: {
				...Object.fromEntries(kept),
				PATH: git === undefined ? '' : dirname(git),
				// Drop options for the editor's own process, such as a debugger's.
				NODE_OPTIONS: undefined,
				ELECTRON_RUN_AS_NODE: '1',
			},
			stdio: ['pipe', 'pipe', 'pipe'],
			windowsHide: true,
		});
		child = started;
		started.once('close', () => ended(started));
		started.stdin.on('error', () => undefined);
		createInterface(started.stderr).on('line', (line) => log.warn(`sample forge: ${line}`));
		try {
			running = await readyLine(started);
		} catch (error) {
			started.stdin.end();
			throw error;
		}
		log.info('The sample forge has started');
		changed.fire();
		return running;
	}

	return {
		/** User to sign in at startup, if the environment provides a running sample forge and names one. */
		account: adopted === undefined ? undefined : environment['FORGE_DESK_SAMPLE_ACCOUNT'],
		running: () => running,
		async start(signal: AbortSignal) {
			signal.throwIfAborted();
			if (running !== undefined) {
				return running;
			}
			starting ??= launch().finally(() => {
				starting = undefined;
			});
			// The start continues, because others may wait too.
			return unlessAborted(starting, signal);
		},
		onDidChange: changed.event,
		/** Stops the process if this window started it. Resolves after its clean-up. */
		stop,
		dispose() {
			life.abort();
			void stop();
			changed.dispose();
		},
	};
}

async function readyLine(child: Child): Promise<RunningSample> {
	const failed = Promise.withResolvers<never>();
	child.once('error', failed.reject);
	child.once('exit', (code) => failed.reject(new Error(`The sample forge ended with ${code ?? 'a signal'}`)));
	const timer = setTimeout(() => failed.reject(new Error('The sample forge did not get ready')), maxStartMs);
	const ready = Promise.withResolvers<RunningSample>();
	createInterface(child.stdout).on('line', (line) => {
		const sample = readReadyLine(line);
		if (sample !== undefined) {
			ready.resolve(sample);
		}
	});
	try {
		return await Promise.race([ready.promise, failed.promise]);
	} finally {
		clearTimeout(timer);
	}
}
