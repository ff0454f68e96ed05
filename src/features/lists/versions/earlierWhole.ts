import type { FilePlace } from '../../../patch/patchChain.ts';
import type { WholeSides } from '../../../patch/wholeFile.ts';
import type { CarriedThread, CarriedVersion, CarriedVersions } from '../../../review/carriedThreads.ts';
import type { ReviewThread } from '../../../review/reviewThreads.ts';
import type { SeriesReading } from '../../../series/seriesReading.ts';
import type { RepositoryRef } from '../../../forge/repository.ts';
import type { Connection } from '../../../state/connection.ts';
import { filesOfSeries } from '../../../state/wholeFiles/wholeFiles.ts';

/** Threads on an earlier version, and their places according to the later version's hunks. */
export interface CarriedByHunks extends Pick<CarriedVersions, 'pairs'> {
	readonly threads: readonly ReviewThread[];
	readonly carried: readonly CarriedThread[];
	readonly earlier: SeriesReading;
	readonly later: SeriesReading;
}

/** Threads to search in whole files. */
export interface LostThreads extends CarriedByHunks {
	/** Their keys. */
	readonly lost: ReadonlySet<string>;
	/** Repository to search besides clones. */
	readonly repository: RepositoryRef | undefined;
}

/** Both versions with whole files, and the threads whose file is loaded in both. */
export interface WholeVersions extends Readonly<Record<'earlier' | 'later', CarriedVersion>> {
	readonly threads: readonly ReviewThread[];
}

/** True if no hunk of the later version contains the thread's line; whole files may. */
export function isLost({ thread: { place }, isChanged }: CarriedThread): boolean {
	return isChanged && 'file' in place;
}

/** Whole files of lost threads; `undefined` if none helps. Background work, so it makes no requests. */
export async function wholeVersions(
	connection: Connection,
	{ threads, carried, earlier, later, repository, lost }: LostThreads,
	signal: AbortSignal,
): Promise<WholeVersions | undefined> {
	const places = new Map(carried.map(({ thread: { key, place } }) => [key, place]));
	const wanted = threads.filter(({ key }) => lost.has(key));
	const read = (series: SeriesReading, of: readonly ReviewThread['place'][]): Promise<VersionWithWhole> =>
		withWhole(connection, { series, places: of, repository }, signal);
	const one = await read(
		earlier,
		wanted.map(({ place }) => place),
	);
	const known = wanted.filter(({ place }) => one.has(place));
	if (known.length === 0) {
		return undefined;
	}
	const other = await read(
		later,
		known.flatMap(({ key }) => places.get(key) ?? []),
	);
	const found = known.filter(({ key }) => other.has(places.get(key)));
	return found.length === 0 ? undefined : { earlier: one, later: other, threads: found };
}

interface VersionWithWhole extends CarriedVersion {
	/** True if the whole file of a place is loaded. */
	readonly has: (place: ReviewThread['place'] | undefined) => boolean;
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
): Promise<VersionWithWhole> {
	const wanted = new Map(
		places.flatMap((place) => {
			const at = fileAt(series, place);
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
	return {
		patches: series.patches,
		whole: (at) => found.get(keyOf(at)),
		has(place) {
			const at = place && fileAt(series, place);
			return at !== undefined && found.has(keyOf(at));
		},
	};
}

function fileAt({ patches }: SeriesReading, place: ReviewThread['place']): FilePlace | undefined {
	return 'file' in place
		? { patch: patches.findIndex(({ mail }) => mail.id === place.mailId), file: place.file }
		: undefined;
}

function keyOf({ patch, file }: FilePlace): string {
	return `${patch} ${file}`;
}
