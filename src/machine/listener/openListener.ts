import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatheredChunks } from '@forge-desk/base/gatheredChunks.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { Delivery, ListenerOptions, Opening } from '../../store/listening/openedListener.ts';
import { arrivalQueue, type QueueLimits, mostRemembered, seenDeliveries, type KeptSeen } from './arrivalQueue.ts';
import { openConnections, type ConnectionLimits } from './connections.ts';
import { isHookPath } from './hookPath.ts';
import {
	calledHost,
	hostsOf,
	listenAt,
	loopbackServer,
	valuesOf,
	type ArrivalLimits,
} from 'sourcehut/identity/loopbackServer.ts';
import { createPublicKey, verify, type KeyObject } from 'node:crypto';

export const listenerLimits: ListenerLimits = {
	connections: 256,
	heldBytes: 8 * 1024 * 1024,
	headersMs: 2000,
	requestMs: 4000,
	checkMs: 500,
	headerBytes: 8192,
	bodyBytes: 512 * 1024,
	bodyChunks: 4096,
	waiting: 256,
	waitingBytes: 8 * 1024 * 1024,
};

type Listening = Disposable & { readonly port: number; readonly refusals: ReadonlyMap<Refusal, number> };

/**
 * Opens a listener for webhooks. It never parses payloads; `received` does. `seen`: deliveries of earlier listeners. Read
 * after binding the port, because then no other listener adds any.
 */
export async function openListener(
	options: ListenerOptions,
	seen: KeptSeen,
	log: Log,
	signal: AbortSignal,
	limits = listenerLimits,
): Promise<Exclude<Opening, { readonly kind: 'open' }> | { readonly kind: 'open'; readonly listener: Listening }> {
	signal.throwIfAborted();
	const owned = new Disposables();
	try {
		const listener = await listen(options, seen, log, limits, owned);
		signal.throwIfAborted();
		return { kind: 'open', listener };
	} catch (error) {
		owned.dispose();
		// System errors have `syscall`; any other error is a bug.
		if (!(error instanceof Error && 'syscall' in error && 'code' in error)) {
			throw error;
		}
		const code = String(error.code);
		return code === 'EADDRINUSE' ? { kind: 'portTaken' } : { kind: 'placeRefused', code };
	}
}

async function listen(
	options: ListenerOptions,
	kept: KeptSeen,
	log: Log,
	limits: ListenerLimits,
	owned: Disposables,
): Promise<Listening> {
	const seen = seenDeliveries(kept, mostRemembered);
	const connections = openConnections(limits);
	const refusals = countRefusals(log);
	const queue = owned.add(arrivalQueue(options.received, limits, log));
	const keys = new Map<string, ForgeKey | undefined>();
	let ownHosts: readonly string[] = [];
	let otherHosts: readonly string[] | undefined;
	let names: ReadonlySet<string> = new Set();

	const server = loopbackServer(limits, handle);
	// Answers `Expect: 100-continue` after checking the headers.
	server.on('checkContinue', handle);
	server.on('checkExpectation', handle);
	server.on('connection', (socket) => connections.add(socket));
	// Garbage and slow requests get no response, so that nothing reveals the listener.
	server.on('clientError', (error, socket) => {
		const isLate = 'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
		void (isLate ? connections.endLate(socket) : socket.destroy());
	});
	owned.add({ dispose: () => server.close() });
	owned.add({ dispose: () => connections.endAll() });

	function handle(request: IncomingMessage, response: ServerResponse): void {
		if (!connections.begin(request.socket)) {
			request.socket.destroy();
			return;
		}
		const reading = readHead(request, namesNow(), hookAt, limits.bodyBytes);
		if (reading.kind === 'refused') {
			const { url: path = '' } = request;
			const host = reading.refusal === 'host' && isHookPath(path) ? calledHost(request) : undefined;
			const told = host === undefined ? undefined : options.misnamed(path, host);
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
				takeIn(reading.head, reading.key, body, response);
			},
		});
	}

	/** With an invalid key, no delivery can be genuine, so there is no hook. */
	function hookAt(path: string): { readonly key: ForgeKey | undefined } | undefined {
		const hook = options.hookAt(path);
		if (hook?.publicKey === undefined) {
			return hook && { key: undefined };
		}
		// Cached, because every request needs the key.
		const key = keys.get(hook.publicKey) ?? readForgeKey(hook.publicKey);
		keys.set(hook.publicKey, key);
		return key && { key };
	}

	function namesNow(): ReadonlySet<string> {
		const now = options.hosts();
		if (now !== otherHosts) {
			otherHosts = now;
			names = new Set([...ownHosts, ...now].map((name) => name.toLowerCase()));
		}
		return names;
	}

	function takeIn(head: RequestHead, key: ForgeKey | undefined, body: Uint8Array, response: ServerResponse): void {
		const { path, event, id, proof } = head;
		if (key !== undefined) {
			if (proof === undefined || !isSignedBy(key, body, proof)) {
				refuse(response, 'forged');
				return;
			}
			if (seen.isNonceSeen(proof.nonce)) {
				refuse(response, 'replayed');
				return;
			}
		}
		const delivery: Delivery = { path, event, id, body };
		const wasSeen = seen.isIdSeen(id, path);
		// With a valid signature and a new nonce, the forge sends it again.
		if (wasSeen && key === undefined) {
			reply(response, '');
			return;
		}
		const nonce = key === undefined ? undefined : proof?.nonce;
		response.once('close', () => queue.add(delivery, () => seen.keep(id, path, nonce)));
		reply(response, options.answer(path) ?? '');
	}

	function refuse(response: ServerResponse, refusal: Refusal): void {
		refusals.add(refusal);
		end(response, 404, '');
		if (refusal === 'forged') {
			// Only requests to a webhook with a key get here.
			options.forged(response.req.url ?? '');
		}
	}

	const port = await listenAt(server, options.port, options.address);
	// No delivery can have arrived yet: Node accepts connections only after this turn.
	seen.recall();
	ownHosts = hostsOf(options.address, port);
	return {
		port,
		refusals: refusals.counts,
		dispose: () => owned.dispose(),
	};
}

/** Reads a body. An endless one only triggers `came`. */
function takeBody(
	request: IncomingMessage,
	{ bodyBytes, bodyChunks }: ListenerLimits,
	taking: {
		/** A chunk arrived; called before it is stored. */
		readonly came: (byteLength: number) => void;
		/** Too many bytes or chunks; each chunk costs time. No further callbacks follow. */
		readonly tooLarge: () => void;
		readonly whole: (body: Uint8Array) => void;
	},
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
	const head = {
		Connection: 'close',
		'Content-Type': 'text/plain; charset=utf-8',
		'Content-Length': Buffer.byteLength(text),
	};
	response.writeHead(status, text === '' ? (status === 204 ? takenHead : refusedHead) : head);
	response.end(text);
}

const takenHead = { Connection: 'close' };
const refusedHead = { Connection: 'close', 'Content-Length': 0 };

/** Limits for the resources that strangers can occupy. */
export interface ListenerLimits extends ArrivalLimits, ConnectionLimits, QueueLimits {
	/** Bytes of one body. Forges truncate at 65,536 characters, and JSON may need six bytes for each. */
	readonly bodyBytes: number;
	/** Chunks of a body. */
	readonly bodyChunks: number;
}

/** Logs the first, tenth, hundredth … refusal only, so that a flood does not fill the log. */
function countRefusals(log: Log) {
	const counts = new Map<Refusal, number>();
	return {
		counts,
		add(refusal: Refusal): void {
			const count = (counts.get(refusal) ?? 0) + 1;
			counts.set(refusal, count);
			if (/^10*$/.test(String(count))) {
				log.warn(`Refused by the webhook listener (${refusal}): ${count}`);
			}
		},
	};
}

interface RequestHead {
	readonly path: string;
	readonly event: string;
	readonly id: string;
	/** Unverified. */
	readonly proof: Proof | undefined;
}

/** Reason of a refusal. The sender sees no difference. */
export type Refusal =
	/** Unknown `Host`. */
	| 'host'
	/** A page in a browser sent it. */
	| 'browser'
	| 'method'
	/** There is no hook at this path. */
	| 'path'
	/** Not plain JSON. */
	| 'contentType'
	/** A delivery header is missing, repeated or malformed. */
	| 'headers'
	| 'tooLarge'
	/** The signature is missing or wrong, although a key exists. */
	| 'forged'
	/** A replay of an earlier delivery. */
	| 'replayed';

const contentType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:[\w-]+|"[\w-]+")[ \t]*)?$/i;

/** Checks the headers of a request before its body. `hosts`: accepted `Host` names, lower case. */
function readHead(
	request: IncomingMessage,
	hosts: ReadonlySet<string>,
	hookAt: (path: string) => { readonly key: ForgeKey | undefined } | undefined,
	mostBodyBytes: number,
):
	| { readonly kind: 'head'; readonly head: RequestHead; readonly key: ForgeKey | undefined }
	| { readonly kind: 'refused'; readonly refusal: Refusal } {
	const refusal = refuseCall(request, hosts);
	if (refusal !== undefined) {
		return { kind: 'refused', refusal };
	}
	const path = request.url ?? '';
	const hook = isHookPath(path) ? hookAt(path) : undefined;
	if (hook === undefined) {
		return { kind: 'refused', refusal: 'path' };
	}
	const unwanted = refuseBody(request, mostBodyBytes);
	if (unwanted !== undefined) {
		return { kind: 'refused', refusal: unwanted };
	}
	const nonce = theOne(request, 'x-payload-nonce', /^\w{1,64}$/);
	const signature = theOne(request, 'x-payload-signature', /^[\w+/=]{1,128}$/);
	const proof = nonce === undefined || signature === undefined ? undefined : { nonce, signature };
	// Before the unsigned headers, because a request without a proof must count as forged.
	if (hook.key !== undefined && proof === undefined) {
		return { kind: 'refused', refusal: 'forged' };
	}
	const event = theOne(request, 'x-webhook-event', /^[\w:.-]{1,64}$/);
	const id = theOne(request, 'x-webhook-delivery', /^[\w-]{1,64}$/);
	return event === undefined || id === undefined
		? { kind: 'refused', refusal: 'headers' }
		: { kind: 'head', head: { path, event, id, proof }, key: hook.key };
}

function refuseCall(request: IncomingMessage, hosts: ReadonlySet<string>): Refusal | undefined {
	if (!hosts.has(calledHost(request) ?? '')) {
		return 'host';
	}
	// Browsers send `Origin` with every POST; no page can prevent it.
	const sites = valuesOf(request, 'sec-fetch-site');
	if (valuesOf(request, 'origin').length > 0 || sites.some((site) => site !== 'none')) {
		return 'browser';
	}
	return request.method === 'POST' ? undefined : 'method';
}

/** Reason to refuse the body. */
function refuseBody(request: IncomingMessage, mostBytes: number): Refusal | undefined {
	// A compressed body can exceed the limit after decompression.
	if (theOne(request, 'content-type', contentType) === undefined || valuesOf(request, 'content-encoding').length > 0) {
		return 'contentType';
	}
	if (valuesOf(request, 'expect').some((each) => each.toLowerCase() !== '100-continue')) {
		return 'headers';
	}
	return valuesOf(request, 'content-length').some((each) => Number(each) > mostBytes) ? 'tooLarge' : undefined;
}

/** Value of a header that is unique and well-formed. */
function theOne(request: IncomingMessage, name: string, form: RegExp): string | undefined {
	const [value = '', ...others] = valuesOf(request, name);
	return others.length === 0 && form.test(value) ? value : undefined;
}

/** A forge's public key, opaque to callers. */
export type ForgeKey = KeyObject;

/** DER prefix of an Ed25519 public key (RFC 8410). */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Parses a forge's public key: 32 raw bytes in base64 (docs/protocol.md#deliveries). `undefined` for anything else. */
export function readForgeKey(text: string): ForgeKey | undefined {
	const raw = bytesOf(text.trim());
	return raw?.byteLength === 32
		? createPublicKey({ key: Buffer.concat([derPrefix, raw]), format: 'der', type: 'spki' })
		: undefined;
}

/** Proof of a delivery's origin. */
interface Proof {
	readonly nonce: string;
	/** 64 bytes in base64. */
	readonly signature: string;
}

/**
 * True if the key signed this body and nonce. The signed text has no separator between the two, so only the fixed length
 * of the nonce prevents another split of the same text.
 */
export function isSignedBy(key: ForgeKey, body: Uint8Array, { nonce, signature }: Proof): boolean {
	const signed = bytesOf(signature);
	return (
		/^[0-9a-f]{16}$/.test(nonce) &&
		signed?.byteLength === 64 &&
		verify(null, Buffer.concat([body, Buffer.from(nonce, 'ascii')]), key, signed)
	);
}

/** Accepts canonical base64 only: otherwise one signature would have several forms. */
function bytesOf(text: string): Buffer | undefined {
	const bytes = Buffer.from(text, 'base64');
	return bytes.toString('base64') === text ? bytes : undefined;
}
