import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { HttpFailure } from './httpClient.ts';

const gunzipAsync = promisify(gunzip);

/** Takes off the compression and stops as soon as the content grows over the limit, however small it came. */
export async function unpack(packed: Uint8Array, encoding: string, limitBytes: number): Promise<Uint8Array> {
	switch (encoding.toLowerCase()) {
		case 'identity':
			return packed;
		case 'gzip':
		case 'x-gzip':
			return await gunzipAsync(packed, { maxOutputLength: limitBytes }).catch((error: unknown) => {
				throw failureOf(error, limitBytes);
			});
		default:
			throw new HttpFailure({ kind: 'garbled' });
	}
}

function failureOf(error: unknown, limitBytes: number): HttpFailure {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	switch (code) {
		case 'ERR_BUFFER_TOO_LARGE':
			return new HttpFailure({ kind: 'tooLarge', limitBytes }, { cause: error });
		case 'Z_BUF_ERROR':
			return new HttpFailure({ kind: 'truncated' }, { cause: error });
		default:
			return new HttpFailure({ kind: 'garbled' }, { cause: error });
	}
}
