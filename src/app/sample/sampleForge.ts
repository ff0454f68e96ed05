import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { unlessAborted } from '@forge-desk/base/abort.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import {
	readReadyLine,
	readTakenLine,
	type RunningSample,
	type TakenPort,
} from '../../editor/accounts/sampleSource.ts';
import type { Secrets } from '../../editor/accounts/sessionStore.ts';
import { SignInError } from 'sourcehut/identity/signInError.ts';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const maxStartMs = 60_000;
const maxProofMs = 5000;

/** A forge that ends again and again is broken. */
const mostRestarts = 5;

/** Present while the forge has a world: the user to sign in at startup, or nothing. */
const worldKey = 'forge.sample';

/** Bundle of the forge, and where its world outlives the process. */
interface SamplePlaces {
	readonly programPath: string;
	readonly stateFolder: string;
}

/**
 * Starts the sample forge on demand. The first window runs the process, and the others use it. When it ends, the next
 * window starts it again, on the same ports and with the same world.
 * Adopts a running one from its ready line in `FORGE_DESK_SAMPLE_FORGE`; an adopted one ends with its parent process.
 * `environment`: the editor's environment. `findGit`: absolute path of git, outside the open folders.
 */
export function sampleForge(
	{ programPath, stateFolder }: SamplePlaces,
	environment: Readonly<Record<string, string | undefined>>,
	findGit: (signal: AbortSignal) => Promise<string | undefined>,
	secrets: Secrets,
	log: Log,
) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	const adopted = readReadyLine(environment['FORGE_DESK_SAMPLE_FORGE'] ?? '');
	let running: RunningSample | undefined = adopted;
	let starting: Promise<RunningSample> | undefined;
	let child: Child | undefined;
	let watching: IncomingMessage | undefined;
	let restarts = 0;
	const life = new AbortController();

	function set(sample: RunningSample | undefined): void {
		running = sample;
		log.info(sample === undefined ? 'The sample forge has ended' : 'The sample forge has started');
		changed.fire();
	}

	async function stop(): Promise<void> {
		const ending = child;
		const watched = watching;
		child = undefined;
		watching = undefined;
		watched?.destroy();
		if (running !== undefined && running !== adopted) {
			set(undefined);
		}
		if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) {
			return;
		}
		const closed = once(ending, 'close');
		// The process cleans up and exits when its standard input closes.
		ending.stdin.end();
		await closed;
	}

	/** The process, or the connection to another window's process, has ended without a request of this window. */
	async function lost(): Promise<void> {
		child = undefined;
		watching = undefined;
		const before = running;
		const hasWorld = (await secrets.get(worldKey)) !== undefined;
		if (before === undefined || life.signal.aborted) {
			return;
		}
		restarts += 1;
		const again =
			hasWorld && restarts <= mostRestarts
				? await begin().catch((error: unknown) => log.warn(String(error)))
				: undefined;
		if (again?.instance.webhookKey !== before.instance.webhookKey) {
			set(undefined);
		}
		if (again !== undefined && running === undefined) {
			set(again);
		}
	}

	/** Another window has ended the forge, unless its world is still there. */
	async function leave(): Promise<void> {
		if (running !== adopted && (await secrets.get(worldKey)) === undefined) {
			await (child === undefined ? undefined : stop());
		}
	}

	function begin(): Promise<RunningSample> {
		starting ??= open().finally(() => {
			starting = undefined;
		});
		return starting;
	}

	async function open(): Promise<RunningSample> {
		const git = await findGit(life.signal);
		life.signal.throwIfAborted();
		if (git === undefined) {
			throw new SignInError({ kind: 'gitMissing' });
		}
		// The second time, the process of another window may just have ended.
		for (const isLast of [false, true]) {
			const started = await launch(git);
			if (!('taken' in started)) {
				return started;
			}
			if (started.by !== undefined && (await watch(started.by))) {
				return started.by;
			}
			if (isLast) {
				throw new SignInError({ kind: 'portTaken', port: started.taken });
			}
		}
		throw new Error('Never happens');
	}

	async function launch(git: string): Promise<RunningSample | TakenPort> {
		// Windows spells it "Path".
		const kept = Object.entries(environment).filter(([name]) => name.toUpperCase() !== 'PATH');
		const started = spawn(process.execPath, [programPath, '--state', stateFolder], {
			env: {
				...Object.fromEntries(kept),
				PATH: dirname(git),
				// Drop options for the editor's own process, such as a debugger's.
				NODE_OPTIONS: undefined,
				ELECTRON_RUN_AS_NODE: '1',
			},
			stdio: ['pipe', 'pipe', 'pipe'],
			windowsHide: true,
		});
		child = started;
		started.stdin.on('error', () => undefined);
		createInterface(started.stderr).on('line', (line) => log.warn(`sample forge: ${line}`));
		try {
			const first = await firstLine(started);
			if ('taken' in first) {
				child = undefined;
				return first;
			}
			started.once('close', () => {
				if (child === started) {
					void lost();
				}
			});
			return first;
		} catch (error) {
			child = undefined;
			started.stdin.end();
			throw error;
		}
	}

	/** Keeps a connection to another window's process. False if another program answers there, or none. */
	async function watch({ instance, clientSecret }: RunningSample): Promise<boolean> {
		const nonce = randomBytes(16).toString('hex');
		const proof = createHmac('sha256', clientSecret.reveal()).update(nonce).digest('hex');
		// At startup it would load the platform's own fetch, too.
		const { get } = await import('node:http');
		const { promise, resolve } = Promise.withResolvers<boolean>();
		const request = get(`${instance.areas.meta}/watch/${nonce}`, { agent: false }, (response) => {
			clearTimeout(timer);
			response.on('error', () => undefined);
			if (response.headers['x-sample-proof'] !== proof) {
				response.destroy();
				resolve(false);
				return;
			}
			watching = response.resume().once('close', () => {
				if (watching === response) {
					void lost();
				}
			});
			resolve(true);
		});
		const timer = setTimeout(() => request.destroy(), maxProofMs);
		request.once('error', () => resolve(false)).once('close', () => resolve(false));
		return await promise;
	}

	owned.add(
		secrets.onDidChange(({ key }) => {
			if (key === worldKey) {
				void leave();
			}
		}),
	);

	return {
		/** User to sign in at startup. */
		async user() {
			const kept = adopted === undefined ? await secrets.get(worldKey) : environment['FORGE_DESK_SAMPLE_ACCOUNT'];
			return kept === '' ? undefined : kept;
		},
		running: () => running,
		async start(signal: AbortSignal) {
			signal.throwIfAborted();
			restarts = 0;
			if (running !== undefined) {
				return running;
			}
			const isFirst = starting === undefined;
			// The start continues, because others may wait too.
			const sample = begin();
			if (isFirst) {
				sample.then(set, () => undefined);
			}
			return unlessAborted(sample, signal);
		},
		async keepUser(user: string | undefined) {
			if (adopted === undefined) {
				await secrets.store(worldKey, user ?? '');
			}
		},
		/** Ends it in all windows, and deletes its world. */
		async end(signal: AbortSignal) {
			const watched = watching;
			// `once` of events would reject, because the connection breaks.
			const endsElsewhere = watched && new Promise<void>((resolve) => watched.once('close', resolve));
			// This change notifies the window that runs the process.
			await secrets.delete(worldKey);
			await (endsElsewhere && unlessAborted(endsElsewhere, signal));
			await stop();
			// The last files may be in use for a moment on Windows.
			await rm(stateFolder, { recursive: true, force: true, maxRetries: 5 });
		},
		onDidChange: changed.event,
		/** Stops the process if this window started it. Resolves after its clean-up. */
		stop,
		dispose() {
			life.abort();
			void stop();
			owned.dispose();
		},
	};
}

async function firstLine(child: Child): Promise<RunningSample | TakenPort> {
	const failed = Promise.withResolvers<never>();
	child.once('error', failed.reject);
	// The last lines come before "close", and may come after "exit".
	child.once('close', (code) => failed.reject(new Error(`The sample forge ended with ${code ?? 'a signal'}`)));
	const timer = setTimeout(() => failed.reject(new Error('The sample forge did not get ready')), maxStartMs);
	const told = Promise.withResolvers<RunningSample | TakenPort>();
	createInterface(child.stdout).on('line', (line) => {
		const read = readReadyLine(line) ?? readTakenLine(line);
		if (read !== undefined) {
			told.resolve(read);
		}
	});
	try {
		return await Promise.race([told.promise, failed.promise]);
	} finally {
		clearTimeout(timer);
	}
}
