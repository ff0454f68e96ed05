import { Buffer } from 'node:buffer';
import { createGunzip } from 'node:zlib';
import type { BodyShare } from './bodyRoom.ts';
import { HttpFailure } from './httpClient.ts';

/** A body during decompression. */
export interface Unpacking {
	readonly body: Promise<Uint8Array>;
	/** Stops and discards the output; `body` never settles. */
	readonly stop: () => void;
}

/** Decompresses a body. The output counts in `share`, and fails beyond the limit (zip bombs). */
export function unpack(
	packed: Uint8Array,
	encoding: string,
	{ limitBytes, share }: { readonly limitBytes: number; readonly share: BodyShare },
): Unpacking {
	switch (encoding.toLowerCase()) {
		case 'identity':
			return { body: Promise.resolve(packed), stop: () => undefined };
		case 'gzip':
		case 'x-gzip':
			return gunzip(packed, limitBytes, share);
		default:
			return { body: Promise.reject(new HttpFailure({ kind: 'garbled' })), stop: () => undefined };
	}
}

function gunzip(packed: Uint8Array, limitBytes: number, share: BodyShare): Unpacking {
	const stream = createGunzip();
	const body = new Promise<Uint8Array>((resolve, reject) => {
		const chunks: Buffer[] = [];
		let size = 0;
		stream.on('data', (chunk: Buffer) => {
			size += chunk.byteLength;
			if (size > limitBytes) {
				stream.destroy();
				reject(new HttpFailure({ kind: 'tooLarge', limitBytes }));
				return;
			}
			chunks.push(chunk);
			share.take(chunk.byteLength, stream);
		});
		stream.on('end', () => {
			const [first] = chunks;
			resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks));
		});
		stream.on('error', (error) => {
			const isCut = 'code' in error && error.code === 'Z_BUF_ERROR';
			reject(new HttpFailure({ kind: isCut ? 'truncated' : 'garbled' }, { cause: error }));
		});
	});
	stream.end(packed);
	return { body, stop: () => void stream.destroy() };
}
