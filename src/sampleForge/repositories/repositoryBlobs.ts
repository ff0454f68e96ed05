import type { Answer } from '../shared/area.ts';
import type { Dialect } from '../shared/dialect.ts';

const looksAtBytes = 8000;

/** Raw file. Binary if its first 8000 bytes contain NUL (docs/protocol.md#files). */
export function blobAnswer(dialect: Dialect, bytes: Buffer, name: string): Answer {
	const headers = bytes.subarray(0, looksAtBytes).includes(0)
		? { 'Content-Type': dialect.binaryContentType, 'Content-Disposition': `attachment; ${fileName(name)}` }
		: { 'Content-Type': 'text/plain; charset=utf-8' };
	return { status: 200, headers, body: bytes };
}

function fileName(name: string): string {
	if (/^[\w.+-]+$/.test(name)) {
		return `filename=${name}`;
	}
	const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, (letter) => {
		return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
	});
	return `filename*=UTF-8''${encoded}`;
}
