import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { GatheredChunks } from '../../base/gatheredChunks.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { arrivalQueue, type QueueLimits } from './arrivalQueue.ts';
import { openConnections, type ConnectionLimits } from './connections.ts';
import { isCutBody, type Arrival, type Delivery, type Hook, type Refusal } from './delivery.ts';
import { isSignedBy, type ForgeKey } from './forgeKey.ts';
import { isHookPath } from './hookPath.ts';
import {
	calledHost,
	hostsOf,
	listenAt,
	loopbackServer,
	valuesOf,
	type Place,
	type ArrivalLimits,
} from './loopbackServer.ts';
import { readHead, type RequestHead, type TakenHead } from './requestHead.ts';
import { mostRemembered, seenDeliveries, type KeptSeen } from './seenDeliveries.ts';

export const listenerLimits: ListenerLimits = {
	connections: 256,
	heldBytes: 8 * 1024 * 1024,
	headersMs: 2000,
	requestMs: 4000,
	checkMs: 500,
	headerBytes: 8192,
	bodyBytes: 512 * 1024,
	bodyChunks: 4096,
	answerMs: 4500,
	asked: 10,
	waiting: 256,
	waitingBytes: 8 * 1024 * 1024,
};

/** Servers print no more (docs/protocol.md#push-events). */
const mostCharacters = 1024;

export interface ListenerOptions {
	/** 0 for any free port. */
	readonly port: number;
	/** Default: 127.0.0.1. */
	readonly address?: string;
	/**
	 * Additional valid host names, such as a tunnel's. Called per request; return the same array while nothing changes.
	 */
	readonly hosts: () => readonly string[];
	/** The webhook at a path from `createHookPath`; `undefined` without one. Called per request. */
	readonly hookAt: (path: string) => Hook | undefined;
	/** Called for every delivery; some servers print the response to the user. */
	readonly answer: AnswerHook;
	/** Called with one arrival at a time, after its response was sent or its connection closed. */
	readonly received: (arrival: Arrival) => void | Promise<void>;
	/** True if the user requested this redelivery. Called for repeated ids without a signature. */
	readonly isAskedAgain?: (delivery: Pick<Delivery, 'path' | 'id'>) => boolean;
	/**
	 * Response to a request at this path under an unknown host name; `undefined` to reject it normally. Only for a path
	 * that nobody else knows.
	 */
	readonly misnamed?: (path: string, host: string) => string | undefined;
	/** Called for a delivery with a wrong or missing signature at a webhook's path. */
	readonly forged: (path: string) => void;
	/**
	 * Deliveries that earlier listeners have seen. Read after binding the port, because then no other listener adds
	 * any.
	 */
	readonly seen?: KeptSeen;
	readonly clock: Clock;
	readonly log: Log;
	/** Default: `listenerLimits`. */
	readonly limits?: ListenerLimits;
}

/** An open listener. Disposing it closes every connection immediately and stops all arrivals. */
export interface Listener extends Disposable {
	readonly port: number;
	readonly refusals: RefusalCounts;
}

/** Result of opening a listener. */
export type Opening =
	| { readonly kind: 'open'; readonly listener: Listener }
	/** Another process uses the port; perhaps another window. */
	| { readonly kind: 'portTaken' }
	/** The machine doesn't have the address, or the port needs privileges. `code`: the system's code, as `EACCES`. */
	| { readonly kind: 'placeRefused'; readonly code: string };

/** Opens a listener for webhooks. It never parses payloads; `received` does. */
export async function openListener(options: ListenerOptions, signal: AbortSignal): Promise<Opening> {
	signal.throwIfAborted();
	const owned = new Disposables();
	try {
		const listener = await listen(options, owned);
		signal.throwIfAborted();
		return { kind: 'open', listener };
	} catch (error) {
		owned.dispose();
		return placeProblem(error);
	}
}

/** Maps binding errors, and rethrows all others. */
function placeProblem(error: unknown): Opening {
	// System errors have `syscall`; any other error is a bug.
	if (!(error instanceof Error && 'syscall' in error && 'code' in error)) {
		throw error;
	}
	const code = String(error.code);
	return code === 'EADDRINUSE' ? { kind: 'portTaken' } : { kind: 'placeRefused', code };
}

async function listen(options: ListenerOptions, owned: Disposables): Promise<Listener> {
	const { hookAt, clock, log, limits = listenerLimits } = options;
	const place: Place = { port: options.port, address: options.address ?? '127.0.0.1' };
	const seen = seenDeliveries(options.seen, mostRemembered);
	const connections = openConnections(limits, clock);
	const refusals = countRefusals(log);
	const queue = owned.add(arrivalQueue(options.received, limits, log));
	const answers = owned.add(hookAnswers({ answer: options.answer, mostAsked: limits.asked, clock, log }));
	let ownHosts: readonly string[] = [];
	let otherHosts: readonly string[] | undefined;
	let names: ReadonlySet<string> = new Set();

	const server = loopbackServer(limits, handle);
	// Answers `Expect: 100-continue` after checking the headers.
	server.on('checkContinue', handle);
	server.on('checkExpectation', handle);
	server.on('connection', (socket) => connections.add(socket));
	// Garbage and slow requests get no response, so that nothing reveals the listener.
	server.on('clientError', (error, socket) => void (isLate(error) ? connections.endLate(socket) : socket.destroy()));
	owned.add({ dispose: () => server.close() });
	owned.add({ dispose: () => connections.endAll() });

	function handle(request: IncomingMessage, response: ServerResponse): void {
		const sinceMs = connections.begin(request.socket);
		if (sinceMs === undefined) {
			request.socket.destroy();
			return;
		}
		const reading = readHead(request, { hosts: namesNow(), hookAt, mostBodyBytes: limits.bodyBytes });
		if (reading.kind === 'refused') {
			const told = reading.refusal === 'host' ? toldOfName(request) : undefined;
			if (told === undefined) {
				refuse(response, reading.refusal);
			} else {
				reply(response, told);
			}
			return;
		}
		if (valuesOf(request, 'expect').length > 0) {
			response.writeContinue();
		}
		takeBody(request, limits, {
			came: (byteLength) => connections.hold(request.socket, byteLength),
			tooLarge() {
				// Otherwise Node would read and discard the rest in pieces of 64 KiB until the connection closes.
				request.pause();
				refuse(response, 'tooLarge');
			},
			whole(body) {
				connections.complete(request.socket);
				void takeIn(reading, body, { response, sinceMs });
			},
		});
	}

	function namesNow(): ReadonlySet<string> {
		const now = options.hosts();
		if (now !== otherHosts) {
			otherHosts = now;
			names = new Set([...ownHosts, ...now].map((name) => name.toLowerCase()));
		}
		return names;
	}

	function toldOfName(request: IncomingMessage): string | undefined {
		const { url: path = '' } = request;
		const host = calledHost(request);
		return host !== undefined && isHookPath(path) ? options.misnamed?.(path, host) : undefined;
	}

	async function takeIn({ head, hook }: TakenHead, body: Uint8Array, { response, sinceMs }: Reply): Promise<void> {
		const { key } = hook;
		const refusal = refusalOf(head, key, body);
		if (refusal !== undefined) {
			refuse(response, refusal);
			return;
		}
		const { path, event, id } = head;
		const delivery: Delivery = { path, event, id, body, isSigned: key !== undefined, isCut: isCutBody(body) };
		const wasSeen = seen.isIdSeen(id, path);
		// With a valid signature, the repetition is a redelivery that the user requested.
		if (wasSeen && key === undefined && options.isAskedAgain?.(delivery) !== true) {
			reply(response, '');
			return;
		}
		const nonce = key === undefined ? undefined : head.proof?.nonce;
		response.once('close', () => queue.add(delivery, () => seen.keep({ id, path, nonce })));
		const leftMs = Math.max(0, sinceMs + limits.answerMs - clock.nowMs());
		reply(response, await answers.ask(delivery, leftMs));
	}

	function refusalOf({ proof }: RequestHead, key: ForgeKey | undefined, body: Uint8Array): Refusal | undefined {
		if (key === undefined) {
			return undefined;
		}
		if (proof === undefined || !isSignedBy(key, body, proof)) {
			return 'forged';
		}
		return seen.isNonceSeen(proof.nonce) ? 'replayed' : undefined;
	}

	function refuse(response: ServerResponse, refusal: Refusal): void {
		refusals.add(refusal);
		end(response, 404, '');
		if (refusal === 'forged') {
			// Only requests to a webhook with a key get here.
			options.forged(response.req.url ?? '');
		}
	}

	const port = await listenAt(server, place);
	// No delivery can have arrived yet: Node accepts connections only after this turn.
	seen.recall();
	ownHosts = hostsOf(place.address, port);
	return {
		port,
		refusals: refusals.counts,
		dispose: () => owned.dispose(),
	};
}

/** True for Node's request timeout. */
function isLate(error: Error): boolean {
	return 'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
}

/** A pending response and the start of its connection. */
interface Reply {
	readonly response: ServerResponse;
	readonly sinceMs: number;
}

/** Callbacks for a request body. */
interface BodyTaking {
	/** A chunk arrived; called before it is stored. */
	readonly came: (byteLength: number) => void;
	/** Too many bytes or chunks; each chunk costs time. No further callbacks follow. */
	readonly tooLarge: () => void;
	readonly whole: (body: Uint8Array) => void;
}

/** Reads a body. An endless one only triggers `came`. */
function takeBody(
	request: IncomingMessage,
	{ bodyBytes, bodyChunks }: Pick<ListenerLimits, 'bodyBytes' | 'bodyChunks'>,
	taking: BodyTaking,
): void {
	const chunks = new GatheredChunks();
	let count = 0;
	let isTooLarge = false;
	request.on('data', (chunk: Uint8Array) => {
		if (isTooLarge) {
			return;
		}
		taking.came(chunk.byteLength);
		chunks.add(chunk);
		count += 1;
		if (chunks.byteLength > bodyBytes || count > bodyChunks) {
			isTooLarge = true;
			chunks.discard();
			taking.tooLarge();
		}
	});
	request.on('end', () => {
		if (!isTooLarge) {
			taking.whole(chunks.takeAll());
		}
	});
}

function reply(response: ServerResponse, text: string): void {
	end(response, text === '' ? 204 : 200, text);
}

/** All rejections look alike, and no header reveals the program. The connection closes to free its slot. */
function end(response: ServerResponse, status: number, text: string): void {
	response.sendDate = false;
	response.writeHead(status, text === '' ? (status === 204 ? takenHead : refusedHead) : headOf(text));
	response.end(text);
}

const takenHead = { Connection: 'close' };
const refusedHead = { Connection: 'close', 'Content-Length': 0 };

function headOf(text: string): Readonly<Record<string, string | number>> {
	return {
		Connection: 'close',
		'Content-Type': 'text/plain; charset=utf-8',
		'Content-Length': Buffer.byteLength(text),
	};
}

/** Response text for a delivery; `undefined` for none. The signal aborts when the response goes out without it. */
type AnswerHook = (delivery: Delivery, signal: AbortSignal) => Promise<string | undefined> | string | undefined;

/** Requests response texts, each with a deadline. */
interface HookAnswers extends Disposable {
	/** Never rejects. Empty without a text, or after the deadline. */
	ask(delivery: Delivery, limitMs: number): Promise<string>;
}

interface AnswerParts {
	readonly answer: AnswerHook;
	/** Limit of concurrent requests; further deliveries get empty responses. */
	readonly mostAsked: number;
	readonly clock: Pick<Clock, 'after'>;
	readonly log: Log;
}

function hookAnswers({ answer, mostAsked, clock, log }: AnswerParts): HookAnswers {
	const endings = new Set<() => void>();
	return {
		async ask(delivery, limitMs) {
			if (endings.size >= mostAsked) {
				return '';
			}
			const late = new AbortController();
			const over = Promise.withResolvers<undefined>();
			const end = (): void => {
				late.abort();
				over.resolve(undefined);
			};
			endings.add(end);
			const timer = clock.after(limitMs, end);
			try {
				return printable((await Promise.race([answer(delivery, late.signal), over.promise])) ?? '');
			} catch (error) {
				log.error(`A webhook got no text for its answer: ${error instanceof Error ? error.message : 'unknown'}`);
				return '';
			} finally {
				timer.dispose();
				endings.delete(end);
			}
		},
		dispose() {
			endings.forEach((end) => end());
		},
	};
}

/** Makes text safe for a terminal: keeps newlines and tabs, removes other control characters and lone surrogates. */
function printable(text: string): string {
	return Array.from(text.slice(0, mostCharacters * 2).toWellFormed())
		.filter((character) => character === '\n' || character === '\t' || !/\p{Cc}/u.test(character))
		.slice(0, mostCharacters)
		.join('');
}

/** Limits for the resources that strangers can occupy. */
export interface ListenerLimits extends ArrivalLimits, ConnectionLimits, QueueLimits {
	/** Bytes of one body. Forges truncate at 65,536 characters, and JSON may need six bytes for each. */
	readonly bodyBytes: number;
	/** Chunks of a body. */
	readonly bodyChunks: number;
	/** From the start of a connection to its response. Forges wait five seconds. */
	readonly answerMs: number;
	/** Concurrent pending responses. Fewer than connections, to leave room for others. */
	readonly asked: number;
}

/** Number of refused requests by reason. */
type RefusalCounts = ReadonlyMap<Refusal, number>;

/** Logs the first, tenth, hundredth … refusal only, so that a flood does not fill the log. */
function countRefusals(log: Log): { readonly counts: RefusalCounts; add(refusal: Refusal): void } {
	const counts = new Map<Refusal, number>();
	return {
		counts,
		add(refusal) {
			const count = (counts.get(refusal) ?? 0) + 1;
			counts.set(refusal, count);
			if (/^10*$/.test(String(count))) {
				log.warn(`Refused by the webhook listener (${refusal}): ${count}`);
			}
		},
	};
}
