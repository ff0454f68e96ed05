import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer } from '../shared/area.ts';

/** Writes an answer; for HEAD without its body. Rejects when the connection breaks. */
export async function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
	writeHead(response, answer);
	if (request.method === 'HEAD') {
		response.end();
		return;
	}
	if (answer.body instanceof Readable) {
		await pipeline(answer.body, response);
		return;
	}
	response.end(answer.body);
}

/** Status and headers of an answer. */
export function writeHead(response: ServerResponse, answer: Answer): void {
	response.statusCode = answer.status;
	for (const [name, value] of Object.entries(answer.headers)) {
		response.setHeader(name, value);
	}
	if (!(answer.body instanceof Readable) && answer.status !== 204) {
		response.setHeader('Content-Length', Buffer.byteLength(answer.body));
	}
}
