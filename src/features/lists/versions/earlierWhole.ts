import type { FilePlace } from '../../../patch/patchChain.ts';
import type { WholeSides } from '../../../patch/wholeFile.ts';
import type { CarriedThread, CarriedVersion } from '../../../review/carriedThreads.ts';
import type { ReviewThread } from '../../../review/reviewThreads.ts';
import type { SeriesReading } from '../../../series/seriesReading.ts';
import type { RepositoryRef } from '../../../forge/repository.ts';
import type { Connection } from '../../../state/connection.ts';
import { filesOfSeries } from '../../../state/wholeFiles/wholeFiles.ts';

/** Threads on an earlier version, and where the hunks of the later one put them. */
export interface CarriedByHunks {
	readonly threads: readonly ReviewThread[];
	readonly carried: readonly CarriedThread[];
	readonly earlier: SeriesReading;
	readonly later: SeriesReading;
	/** Where files are looked for; in clones in any case. */
	readonly repository: RepositoryRef | undefined;
}

/**
 * Both versions with the whole files of lines that no hunk of the later one shows; `undefined` where there is no such line.
 * Nobody waits for it, so it takes no request.
 */
export async function wholeVersions(
	connection: Connection,
	{ threads, carried, earlier, later, repository }: CarriedByHunks,
	signal: AbortSignal,
): Promise<Readonly<Record<'earlier' | 'later', CarriedVersion>> | undefined> {
	const lost = new Map(carried.flatMap(({ thread, isChanged }) => (isChanged ? [[thread.key, thread.place]] : [])));
	const places = threads.filter(({ key, place }) => place.kind === 'line' && lost.has(key));
	if (places.length === 0) {
		return undefined;
	}
	const read = (series: SeriesReading, of: readonly ReviewThread['place'][]): Promise<CarriedVersion> =>
		withWhole(connection, { series, places: of, repository }, signal);
	return {
		earlier: await read(
			earlier,
			places.map(({ place }) => place),
		),
		later: await read(
			later,
			places.flatMap(({ key }) => lost.get(key) ?? []),
		),
	};
}

interface WantedWhole {
	readonly series: SeriesReading;
	readonly places: readonly ReviewThread['place'][];
	readonly repository: RepositoryRef | undefined;
}

async function withWhole(
	{ wholeFiles, texts }: Connection,
	{ series, places, repository }: WantedWhole,
	signal: AbortSignal,
): Promise<CarriedVersion> {
	const wanted = new Map(
		places.flatMap((place) => {
			const at = 'file' in place ? fileAt(series, place) : undefined;
			return at ? [[keyOf(at), at] as const] : [];
		}),
	);
	const files = wholeFiles.withoutRequests({ ...filesOfSeries(series, (mail) => texts.patchOf(mail)), repository });
	const look = files.look('first');
	await look.prepare([...wanted.values()], signal);
	const found = new Map<string, WholeSides>();
	for (const [key, at] of wanted) {
		const whole = (await look.file(at, signal))?.whole;
		// The lines that comments are on are those that the hunks state.
		if (whole?.kind === 'verified' && whole.hunks.every(({ offset }) => offset === 0)) {
			found.set(key, whole);
		}
	}
	return { patches: series.patches, whole: (at) => found.get(keyOf(at)) };
}

function fileAt(
	{ patches }: SeriesReading,
	{ mailId, file }: { readonly mailId: number; readonly file: number },
): FilePlace {
	return { patch: patches.findIndex(({ mail }) => mail.id === mailId), file };
}

function keyOf({ patch, file }: FilePlace): string {
	return `${patch} ${file}`;
}
