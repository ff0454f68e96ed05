import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { GatheredChunks } from '../base/gatheredChunks.ts';
import { Disposables, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { arrivalQueue } from './arrivalQueue.ts';
import { openConnections } from './connections.ts';
import { isCutBody, type Arrival, type Delivery, type Hook, type Refusal } from './delivery.ts';
import { isSignedBy, type ForgeKey } from './forgeKey.ts';
import { hookAnswers, type AnswerHook } from './hookAnswer.ts';
import { isHookPath } from './hookPath.ts';
import { listenerLimits, type ListenerLimits } from './listenerLimits.ts';
import { calledHost, hostsOf, listenAt, loopbackServer, valuesOf, type Place } from './loopbackServer.ts';
import { countRefusals, type RefusalCounts } from './refusals.ts';
import { readHead, type RequestHead, type TakenHead } from './requestHead.ts';
import { mostRemembered, seenDeliveries, type KeptSeen } from './seenDeliveries.ts';

/** What a listener is opened with. */
export interface ListenerOptions {
	/** 0: any that is free. */
	readonly port: number;
	/** 127.0.0.1 when left out. */
	readonly address?: string;
	/**
	 * Names besides address and port under which the listener may be called, such as a tunnel's. Asked each time, and looked
	 * into where it is another array than before.
	 */
	readonly hosts: () => readonly string[];
	/** What a subscription has this path for, which `createHookPath` made; `undefined` where none has. Asked each time. */
	readonly hookAt: (path: string) => Hook | undefined;
	/** For hooks whose answer is printed to somebody; asked of every delivery. */
	readonly answer: AnswerHook;
	/** Called with one arrival after another, each after its answer has gone out or found nobody there any more. */
	readonly received: (arrival: Arrival) => void | Promise<void>;
	/** Whether somebody had the forge send it again. Asked of what came before, where no signature tells. */
	readonly isAskedAgain?: (delivery: Pick<Delivery, 'path' | 'id'>) => boolean;
	/**
	 * What is answered where this path was called by a name that is none of ours; `undefined` for a refusal as any other. Only
	 * for a path that nobody but ourselves knows.
	 */
	readonly misnamed?: (path: string, host: string) => string | undefined;
	/** Called where something came to a hook's path that its forge has not signed, or that brought no signature. */
	readonly forged: (path: string) => void;
	/** What earlier listeners have seen; read once the port is this one's, so that none of them takes in anything any more. */
	readonly seen?: KeptSeen;
	readonly clock: Clock;
	readonly log: Log;
	/** Those of `listenerLimits` when left out. */
	readonly limits?: ListenerLimits;
}

/** A listener that is open. Disposing it ends every connection at once, and nothing is handed on any more. */
export interface Listener extends Disposable {
	readonly port: number;
	readonly refusals: RefusalCounts;
}

/** What opening comes to. */
export type Opening =
	| { readonly kind: 'open'; readonly listener: Listener }
	/** Somebody listens there already; perhaps another window. */
	| { readonly kind: 'portTaken' }
	/** There is no such address on this machine, or the port is not for everybody. `code`: the system's own, as `EACCES`. */
	| { readonly kind: 'placeRefused'; readonly code: string };

/** Opens a listener for webhooks. It knows no payloads: what a body says is read by whoever receives it. */
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

/** What keeps anybody from listening at this place. Everything else is thrown on. */
function placeProblem(error: unknown): Opening {
	// What the system refuses names its call; everything else is a fault of ours.
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
	// Whoever asks before sending the body is told to go on once the headers are found good.
	server.on('checkContinue', handle);
	server.on('checkExpectation', handle);
	server.on('connection', (socket) => connections.add(socket));
	// What is no HTTP, or comes too slowly, gets no answer that would say what listens here.
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
				// What still comes would be read and thrown away, 64 KiB after 64 KiB, until the connection is closed.
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
		// With a good signature it is the forge that sends the same delivery again, because somebody asked it to.
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
			// Only the path of a hook that has a key comes so far.
			options.forged(response.req.url ?? '');
		}
	}

	const port = await listenAt(server, place);
	// Nothing can have come yet: a connection is taken in no earlier than after this turn.
	seen.recall();
	ownHosts = hostsOf(place.address, port);
	return {
		port,
		refusals: refusals.counts,
		dispose: () => owned.dispose(),
	};
}

/** Whether it is what Node says of a request that has not come within its time. */
function isLate(error: Error): boolean {
	return 'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
}

/** Where an answer goes, and how long somebody has waited for it. */
interface Reply {
	readonly response: ServerResponse;
	readonly sinceMs: number;
}

/** What a body comes to. */
interface BodyTaking {
	/** A piece has come, before it is kept. */
	readonly came: (byteLength: number) => void;
	/** It has too many bytes, or comes in too many pieces, each of which costs time. Nothing more is told of it. */
	readonly tooLarge: () => void;
	readonly whole: (body: Uint8Array) => void;
}

/** Takes in a body. Of one that never ends nothing is told but its pieces. */
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

/** Every refusal is the same, and no header tells who answers. The connection ends, so that it keeps no place. */
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
