import type { Clock } from '@forge-desk/base/clock.ts';
import type { ArchiveTransport } from 'public-inbox/http/archiveTransport.ts';
import type { HttpClient } from 'sourcehut/http/httpClient.ts';
import { systemClock } from './contractForge.ts';

/** The extension's client as the network of archives. */
export function transportOver(http: HttpClient): ArchiveTransport {
	return async (request, signal) => {
		const stream = await http.stream({
			...request,
			acceptsGzip: true,
			// The client of archives limits its bodies.
			limitBytes: Number.MAX_SAFE_INTEGER,
			signal,
		});
		const { head, header, chunks } = stream;
		return { status: head.status, header, chunks, dispose: () => stream.dispose() };
	};
}

/** Real limits without the pauses between requests. `pausedMs`: the pauses. */
export function hastyClock(): Clock & { readonly pausedMs: readonly number[] } {
	const pausedMs: number[] = [];
	let skippedMs = 0;
	return {
		pausedMs,
		nowMs: () => systemClock.nowMs() + skippedMs,
		after(delayMs, work) {
			if (delayMs > 10_000) {
				return systemClock.after(delayMs, work);
			}
			pausedMs.push(delayMs);
			skippedMs += delayMs;
			return systemClock.after(0, work);
		},
	};
}
