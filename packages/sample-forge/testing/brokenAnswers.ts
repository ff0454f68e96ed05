import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { sendAnswer, writeHead } from '../src/server/areaServer.ts';
import { errorPage, webPage } from '../src/shared/answers.ts';
import type { Answer } from '../src/shared/area.ts';
import type { Fault } from './faults.ts';

/** Faults that replace the real response; the request has no effect. */
export function insteadOfAnswer(fault: Fault | undefined, url: string): Answer | 'reset' | 'hang' | undefined {
	switch (fault?.kind) {
		case 'status': {
			return {
				status: fault.status,
				headers: { 'Content-Type': 'application/json', ...fault.headers },
				body: fault.body,
			};
		}
		case 'noDatabase': {
			// docs/protocol.md#graphql-at-the-door, docs/protocol.md#error-bodies
			const errors = [{ message: 'Authentication error: Temporary error; try again later' }];
			const headers = { 'Content-Type': 'application/json' };
			return url.startsWith('/query') ? { status: 500, headers, body: JSON.stringify({ errors }) } : errorPage(500);
		}
		case 'contentType': {
			return webPage('Sign in', '<form><label>User name <input></label><button>Sign in</button></form>');
		}
		case 'huge': {
			return hugeAnswer(fault.megabytes, fault.gzip);
		}
		case 'redirect': {
			return { status: fault.status, headers: { Location: fault.to }, body: '' };
		}
		case 'hang': {
			return 'hang';
		}
		case 'reset': {
			return fault.at === 'headers' ? 'reset' : undefined;
		}
		case 'delay':
		case 'twice':
		case 'drip':
		case 'truncate':
		case 'failedField':
		case undefined: {
			return undefined;
		}
	}
}

function hugeAnswer(megabytes: number, gzip: boolean): Answer {
	const item = `${JSON.stringify({ name: 'x'.repeat(1000) })},`;
	const block = item.repeat(Math.ceil(2 ** 20 / item.length));
	const body = Readable.from(blocks(block, megabytes), { objectMode: false });
	const headers = { 'Content-Type': 'application/json' };
	return gzip
		? { status: 200, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: body.pipe(createGzip()) }
		: { status: 200, headers, body };
}

function* blocks(block: string, count: number): Generator<Buffer> {
	yield Buffer.from('[');
	for (let sent = 0; sent < count; sent++) {
		yield Buffer.from(block);
	}
	yield Buffer.from('null]');
}

/** Sends the real response, broken as the fault says. */
export async function sendBroken(
	request: IncomingMessage,
	response: ServerResponse,
	answer: Answer,
	fault: Fault,
): Promise<void> {
	const bytes = answer.body instanceof Readable ? await collect(answer.body) : Buffer.from(answer.body);
	const answered: Answer = { ...answer, body: bytes };
	if (fault.kind === 'truncate') {
		await sendAnswer(request, response, { ...answered, body: bytes.subarray(0, bytes.length >> 1) });
		return;
	}
	if (fault.kind === 'reset' && fault.at === 'applied') {
		request.socket.resetAndDestroy();
		return;
	}
	writeHead(response, answered);
	if (fault.kind === 'drip') {
		await drip(response, bytes, fault);
		return;
	}
	const whole = fault.kind === 'reset' && fault.at === 'end';
	if (whole) {
		response.removeHeader('Content-Length');
	}
	// In the write callback, so that the bytes arrive before the reset.
	response.write(whole ? bytes : bytes.subarray(0, bytes.length >> 1), () => response.socket?.resetAndDestroy());
}

async function drip(
	response: ServerResponse,
	bytes: Buffer,
	{ bytes: size, everyMs }: { readonly bytes: number; readonly everyMs: number },
): Promise<void> {
	for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
		response.write(bytes.subarray(at, at + size));
		await delay(everyMs);
	}
	response.end();
}

async function collect(stream: Readable): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of stream) {
		if (chunk instanceof Uint8Array) {
			chunks.push(chunk);
		}
	}
	return Buffer.concat(chunks);
}
