import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** A gzip file was cut, is none, or unpacks to a multiple that mails never have. */
export class DamagedBody extends Error {
	override readonly name = 'DamagedBody';
}

/** Mails of one text repeated reach a tenth. Files below `alwaysFine` may hold anything. */
const highestRatio = 300;
const alwaysFine = 64 * 1024 * 1024;

/** Unpacks while reading, also several files in a row. The reader stops at its limit, and the rest is never unpacked. */
export async function* inflated(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
	const gunzip = createGunzip();
	let failure: Error | undefined;
	let [packed, plain] = [0, 0];
	async function* watched(): AsyncGenerator<Uint8Array, void, undefined> {
		try {
			for await (const chunk of chunks) {
				packed += chunk.byteLength;
				yield chunk;
			}
		} catch (error) {
			// Zlib would report this as a cut body.
			failure = error instanceof Error ? error : new Error('Something that is no error was thrown', { cause: error });
			throw error;
		}
	}
	pipeline(watched, gunzip).catch(() => undefined);
	try {
		for await (const chunk of gunzip) {
			if (chunk instanceof Uint8Array) {
				plain += chunk.byteLength;
				if (plain > alwaysFine && plain > highestRatio * packed) {
					throw new RangeError(`The body unpacks to more than ${highestRatio} times its size`);
				}
				yield chunk;
			}
		}
	} catch (error) {
		throw failure ?? new DamagedBody('The body is no whole gzip', { cause: error });
	} finally {
		// Not awaited: the source may be silent until its owner ends it.
		gunzip.destroy();
	}
}

/** True for the start of a gzip file. */
export function isGzip(start: Uint8Array): boolean {
	return start[0] === 0x1f && start[1] === 0x8b;
}
