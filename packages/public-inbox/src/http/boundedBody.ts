import { GatheredChunks } from '@forge-desk/base/gatheredChunks.ts';
import { inflated, isGzip } from 'patchmail/files/gunzip.ts';

/** The same chunks, and the first ones again as one: enough to judge the type. */
export async function withStart(
	chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly start: Uint8Array; readonly all: AsyncGenerator<Uint8Array, void, undefined> }> {
	const source = chunks[Symbol.asyncIterator]();
	const first = new GatheredChunks();
	let isOver = false;
	while (first.byteLength < 200 && !isOver) {
		const next = await source.next();
		isOver = next.done === true;
		if (next.done !== true) {
			first.add(next.value);
		}
	}
	const start = first.takeAll();
	async function* all(): AsyncGenerator<Uint8Array, void, undefined> {
		try {
			if (start.byteLength > 0) {
				yield start;
			}
			if (isOver) {
				return;
			}
			for (;;) {
				const next = await source.next();
				if (next.done === true) {
					return;
				}
				yield next.value;
			}
		} finally {
			await source.return?.();
		}
	}
	return { start, all: all() };
}

/** A body up to a limit. `isCut`: there was more. */
export interface BoundedBody {
	readonly bytes: Uint8Array;
	readonly isCut: boolean;
}

export async function gathered(chunks: AsyncIterable<Uint8Array>, mostBytes: number): Promise<BoundedBody> {
	const kept = new GatheredChunks();
	for await (const chunk of chunks) {
		const room = mostBytes - kept.byteLength;
		kept.add(chunk.subarray(0, room));
		if (chunk.byteLength > room) {
			return { bytes: kept.takeAll(), isCut: true };
		}
	}
	return { bytes: kept.takeAll(), isCut: false };
}

/** Unpacks a gzip file, and leaves other bodies alone. Some proxies unpack files on their way. */
export async function unpacked(
	chunks: AsyncIterable<Uint8Array>,
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
	const { start, all } = await withStart(chunks);
	return isGzip(start) ? inflated(all) : all;
}
