import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as v from 'valibot';
import { deliveryBytes, exchange, makeSigner, statusOf, type ForgeSigner } from '../support/hookSender.ts';
import { openedListener } from '../support/openedListener.ts';
import { deliveryToStore } from './deliveryToStore.ts';
import { startEcho } from './echoServer.ts';
import { counted, countFigure, ratioFigure, verdictOf } from './figures.ts';
import type { HookAttack } from './hookAttacker.ts';
import type { HookServerState, LookedAt } from './hookServer.ts';
import { compare } from './interleaved.ts';
import type { Figure, Size } from './measurement.ts';

const mebibyte = 1024 * 1024;
const megabyte = 1_000_000;
const mostAttackedMs = 100;
const mostGrownBytes = 64 * megabyte;
/**
 * Starts V8 with its maximum young generation. V8 doubles it after enough objects survive collections, and the last
 * step takes 64 MB. If that step happened during the attack, the figure would blame the attacker.
 */
const largestYoung = '--min-semi-space-size=64';
/** Concurrent connections of the attack and of the preceding deliveries. */
const lanes = 20;

const sizes = {
	full: {
		rounds: 210,
		warmUps: 10_000,
		slowSockets: 200,
		bodies: 2,
		bodyBytes: 1024 * mebibyte,
		hostile: 10_000,
	},
	smallest: { rounds: 3, warmUps: 20, slowSockets: 25, bodies: 1, bodyBytes: 4 * mebibyte, hostile: 90 },
} as const;

/** Latency of deliveries in the webhook listener, in normal use and under attack. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	return [await toReceived(size), await deliveryToStore(size), ...(await underAttack(size))];
}

/** From the first byte of a delivery to the handler, relative to a server that echoes the body. */
async function toReceived(size: Size): Promise<Figure> {
	const signer = makeSigner();
	let took = Promise.withResolvers<void>();
	using opened = await openedListener({ publicKey: signer.publicKey, received: () => took.resolve() });
	const echo = await startEcho();
	try {
		const comparison = await compare(
			{
				name: 'ours',
				prepare: () => {
					took = Promise.withResolvers();
				},
				async run() {
					await Promise.all([send(opened.port, signer), took.promise]);
				},
			},
			{
				name: 'echo',
				async run() {
					await send(echo.port, signer);
				},
			},
			sizes[size].rounds,
		);
		return ratioFigure('Signed delivery to its being handed on, to an echo of a bare server', 2, comparison);
	} finally {
		await echo.stop();
	}
}

async function underAttack(size: Size): Promise<readonly Figure[]> {
	const ours = await attacked('ours', 'resident', size);
	const bare = await attacked('bare', 'resident', size);
	const held = await attacked('ours', 'held', size);
	const bareHeld = await attacked('bare', 'held', size);
	const { slowSockets, bodyBytes, hostile } = sizes[size];
	const p99 = shareOf(ours.timesMs, 0.99);
	const bareP99 = shareOf(bare.timesMs, 0.99);
	const attack = `${slowSockets} slow sockets, bodies of ${bodyBytes / mebibyte} MiB and ${counted(hostile)} hostile deliveries`;
	const detail = `${counted(ours.timesMs.length)} good deliveries between ${attack}`;
	return [
		timeFigure('Good delivery under attack, p99', mostAttackedMs, p99, detail),
		{
			name: 'Good delivery under attack, p99, to a bare server under the same attack',
			goal: '≤ 2',
			measured: p99 / bareP99,
			shown: (p99 / bareP99).toFixed(3),
			verdict: verdictOf(p99 / bareP99 <= 2),
			detail: `p99 ${p99.toFixed(1)} to ${bareP99.toFixed(1)} ms, median ${shareOf(ours.timesMs, 0.5).toFixed(1)} to ${shareOf(bare.timesMs, 0.5).toFixed(1)} ms; the bare one checks nothing and keeps every connection`,
		},
		countFigure('Good deliveries under attack that got no answer', 0, ours.unanswered, detail),
		countFigure('Hostile deliveries that were taken in', 0, ours.strange, `${counted(ours.refused)} were refused`),
		memoryFigure('Memory that the listener holds under attack at most', {
			bytes: held.grownBytes,
			bareBytes: bareHeld.grownBytes,
			detail:
				'in use after collections four times a second, in a run of its own with a quarter of the hostile deliveries',
		}),
		memoryFigure('Memory that the listener grows by under attack, garbage counted in', {
			bytes: ours.grownBytes,
			bareBytes: bare.grownBytes,
			detail: `resident, above what ${counted(sizes[size].warmUps)} good deliveries as fast have left there`,
		}),
	];
}

interface Attacked {
	readonly timesMs: readonly number[];
	readonly unanswered: number;
	/** Accepted deliveries that no legitimate sender sent. */
	readonly strange: number;
	readonly refused: number;
	readonly grownBytes: number;
}

const stateSchema = v.object({
	taken: v.array(v.string()),
	refused: v.number(),
	grownBytes: v.number(),
});

/** Sends good deliveries during the attack. */
async function attacked(kind: 'ours' | 'bare', memory: LookedAt, size: Size): Promise<Attacked> {
	const { slowSockets, bodies, bodyBytes } = sizes[size];
	// Held memory shows soon, and collections take time.
	const hostile = Math.ceil(sizes[size].hostile / (memory === 'held' ? 4 : 1));
	const signer = makeSigner();
	const children: ChildProcess[] = [];
	const start = async (
		file: string,
		args: readonly string[],
		execArgv: readonly string[] = [],
	): Promise<readonly [ChildProcess, unknown]> => {
		const child = fork(join(import.meta.dirname, file), args, { execArgv: [...process.execArgv, ...execArgv] });
		children.push(child);
		return [child, await nextMessage(child)];
	};
	try {
		const [server, told] = await start('hookServer.ts', [kind, signer.publicKey, memory], [largestYoung]);
		const port = v.parse(v.number(), told);
		const ask = async (what: 'begin' | 'state'): Promise<HookServerState> => {
			server.send(what);
			return v.parse(stateSchema, await nextMessage(server));
		};
		// Concurrent requests take memory even without an attacker, as on every host with some uptime.
		await Promise.all(Array.from({ length: lanes }, (_, lane) => warmUp(lane)));
		// Sent after the warm-up, because the listener remembers only the newest 10,000 ids.
		const overheard = deliveryBytes({ host: `127.0.0.1:${port}`, signer, id: 'good-overheard' });
		await exchange(port, overheard);
		await ask('begin');
		const none = {
			port,
			slowSockets: 0,
			bodies: 0,
			bodyBytes,
			hostile: 0,
			lanes,
			overheard: overheard.toString('base64'),
		};
		const attack = async (parts: Partial<HookAttack>): Promise<unknown> => {
			const [attacker] = await start('hookAttacker.ts', []);
			attacker.send({ ...none, ...parts });
			return nextMessage(attacker);
		};
		// An attack without deliveries reports its end immediately and keeps its sockets and bodies.
		await attack({ slowSockets, bodies });
		const timesMs: number[] = [];
		let unanswered = 0;
		const over = new AbortController();
		const attacking = attack({ hostile }).finally(() => over.abort());
		do {
			const ms = await timedSend(port, signer);
			if (ms === undefined) {
				unanswered += 1;
			} else {
				timesMs.push(ms);
			}
		} while (!over.signal.aborted);
		await attacking;
		const { taken, refused, grownBytes } = await ask('state');
		const strange = taken.filter((id) => !id.startsWith('good-')).length + countOfTwice(taken);
		return { timesMs, unanswered, strange, refused, grownBytes };

		/** Ignores the responses: on a busy machine the listener may time some out. */
		async function warmUp(lane: number): Promise<void> {
			for (let count = lane; count < sizes[size].warmUps; count += lanes) {
				await send(port, signer);
			}
		}
	} finally {
		children.forEach((child) => child.kill());
	}
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
	const said: readonly unknown[] = await once(child, 'message');
	return said[0];
}

let sent = 0;

function send(port: number, signer: ForgeSigner): Promise<string> {
	sent += 1;
	return exchange(port, deliveryBytes({ host: `127.0.0.1:${port}`, signer, id: `good-${sent}` }));
}

/** Duration of one good delivery; `undefined` if the listener rejected it. */
async function timedSend(port: number, signer: ForgeSigner): Promise<number | undefined> {
	const beganMs = performance.now();
	const answer = await send(port, signer);
	return statusOf(answer) === 204 ? performance.now() - beganMs : undefined;
}

function countOfTwice(ids: readonly string[]): number {
	return ids.length - new Set(ids).size;
}

/** Percentile of the times. */
function shareOf(times: readonly number[], share: number): number {
	const sorted = [...times].sort((one, other) => one - other);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function timeFigure(name: string, goalMs: number, ms: number, detail: string): Figure {
	return {
		name,
		goal: `≤ ${goalMs} ms`,
		measured: ms,
		shown: `${ms.toFixed(1)} ms`,
		verdict: verdictOf(ms <= goalMs),
		detail,
	};
}

function memoryFigure(
	name: string,
	{ bytes, bareBytes, detail }: { readonly bytes: number; readonly bareBytes: number; readonly detail: string },
): Figure {
	return {
		name,
		goal: `≤ ${megabytes(mostGrownBytes, 0)}`,
		measured: bytes,
		shown: megabytes(bytes),
		verdict: verdictOf(bytes <= mostGrownBytes),
		detail: `${detail}; the bare server’s ${megabytes(bareBytes)}, ratio ${(bytes / bareBytes).toFixed(2)}`,
	};
}

function megabytes(bytes: number, digits = 1): string {
	return `${(bytes / megabyte).toFixed(digits)} MB`;
}
