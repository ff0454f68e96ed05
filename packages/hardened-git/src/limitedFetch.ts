import { maxOf } from '@forge-desk/base/longArrays.ts';
import { GitFailure } from './gitFailure.ts';
import type { HardenedGit } from './hardenedGit.ts';
import type { Ended } from './runProgram.ts';

/**
 * Fetches into our own repository up to this size: servers without filter support send complete contents. Throws
 * `GitFailure` with `tooMuch` beyond it.
 */
export async function limitedFetch(
	git: HardenedGit,
	command: Parameters<HardenedGit['run']>[0],
	{ folder, mostMebibytes }: { readonly folder: string; readonly mostMebibytes: number },
	signal: AbortSignal,
): Promise<Ended> {
	const tooMuch = new AbortController();
	const onComplaint = (text: string): void => {
		if (receivedMebibytes(text) > mostMebibytes) {
			tooMuch.abort(new GitFailure({ kind: 'tooMuch' }));
		}
	};
	return await git.run(command, { folder, onComplaint }, AbortSignal.any([signal, tooMuch.signal]));
}

/**
 * Largest received size in progress lines, such as `Receiving objects: 12% (3/25), 1.50 MiB | 2.00 MiB/s`. A server's
 * own messages stand between them, so the last one may be false.
 */
export function receivedMebibytes(text: string): number {
	// Servers control this text, so the pattern must not backtrack.
	const sizes = Array.from(
		text.matchAll(/, (\d{1,9}(?:\.\d{1,2})?) ([KMG]iB)(?: \||,)/g),
		([, number, unit]) => Number(number) * (unit === 'GiB' ? 1024 : unit === 'MiB' ? 1 : 0),
	);
	return maxOf([0, ...sizes]);
}
