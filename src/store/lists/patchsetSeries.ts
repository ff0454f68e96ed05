import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { ListRef, Patchset } from 'sourcehut/port/list.ts';
import { subjectOfThread } from 'patchmail/series/patchSubject.ts';
import { subjectPlace } from 'patchmail/series/subjectPlace.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { collectPages } from 'sourcehut/port/collectPages.ts';
import { forServer } from './formedPatchsets.ts';
import { namesOf } from './formedSets.ts';
import type { KeptMails } from './keptMails.ts';
import type { SeriesReading } from './listChange.ts';
import type { ListMails } from './listMails.ts';
import type { MailSummary, Series } from './mailSummary.ts';

interface SeriesSource {
	readonly api: ListApi;
	readonly mails: ListMails;
	/** Disk cache; absent without persistence. */
	readonly disk: KeptMails | undefined;
	readonly patchset: (id: number) => Patchset | undefined;
	readonly arrived: (reading: SeriesReading) => void;
}

/** Cache of series. Mails never change, so each series costs one read. */
export class PatchsetSeries implements Disposable {
	readonly #list: ListRef;
	readonly #source: SeriesSource;
	readonly #known = new Map<number, Series>();
	readonly #reads = new SharedReads<Series>();

	constructor(list: ListRef, source: SeriesSource) {
		this.#list = list;
		this.#source = source;
	}

	/** Without a request. */
	known(id: number): Series | undefined {
		return this.#known.get(id);
	}

	/** The patchset of a known series with this mail. */
	withMail(id: number): number | undefined {
		const hasIt = ({ cover, patches }: Series): boolean => [cover, ...patches].some((mail) => mail?.id === id);
		return Array.from(this.#known).find(([, series]) => hasIt(series))?.[0];
	}

	/** Mails of all known series. */
	knownMails(): readonly MailSummary[] {
		return [...this.#known.values()].flatMap(({ cover, patches }) => (cover ? [cover, ...patches] : patches));
	}

	read(id: number, signal: AbortSignal): Promise<Series> {
		const known = this.#known.get(id);
		return known ? Promise.resolve(known) : this.#reads.read(String(id), (shared) => this.#readNow(id, shared), signal);
	}

	/** True if unknown before. */
	take(id: number, series: Series): boolean {
		const wasKnown = this.#known.has(id);
		this.#known.set(id, series);
		return !wasKnown;
	}

	dispose(): void {
		this.#reads.abortAll();
	}

	/**
	 * Reads all patches and finds the cover letter, which observed servers do not name
	 * (docs/protocol.md#patchset-fields).
	 */
	async #readNow(id: number, signal: AbortSignal): Promise<Series> {
		const { api, mails, disk, patchset, arrived } = this.#source;
		const ref = { list: this.#list, id };
		let series = await disk?.series(ref);
		signal.throwIfAborted();
		if (!series) {
			const { items, completeness } = await collectPages(api.patches(forServer(ref), signal));
			const patches = items.map((mail) => mails.take(mail));
			const named = patchset(id)?.coverLetter;
			const cover = named ? mails.take(named) : await coverOf(mails, { patches, patchsetId: id }, signal);
			series = { cover, patches };
			const [first] = patches;
			// The account may lack the permission to read a possible cover letter.
			const isCoverCertain =
				cover !== undefined || first?.parentId === undefined || mails.known(first.parentId) !== undefined;
			if (completeness.kind !== 'more' && first && isCoverCertain) {
				disk?.keepSeries(ref, series);
			}
		}
		arrived({ kind: 'seriesRead', ref, series });
		return series;
	}
}

/** The cover letter is the parent of the first patch, unless that belongs to an earlier version or another sender. */
async function coverOf(
	mails: ListMails,
	{ patches, patchsetId }: { readonly patches: readonly MailSummary[]; readonly patchsetId: number },
	signal: AbortSignal,
): Promise<MailSummary | undefined> {
	const [first] = patches;
	if (first?.parentId === undefined || patches.some(({ id }) => id === first.parentId)) {
		return undefined;
	}
	try {
		const answered = await mails.mail(first.parentId, signal);
		const above = mails.takeBeside(answered, first);
		return isCoverOf(first, above) || (answered.patchsetId === patchsetId && !answered.isPatch) ? above : undefined;
	} catch (error) {
		// A series without its cover letter is still useful.
		if (isForgeError(error) && (error.problem.kind === 'notFound' || error.problem.kind === 'notAllowed')) {
			return undefined;
		}
		throw error;
	}
}

/** Another version or count in the subject announces another series. Without one, the place in the thread decides. */
function isCoverOf(patch: MailSummary, above: MailSummary): boolean {
	const place = subjectPlace(patch.subject, true);
	const cover = subjectPlace(above.subject, above.hasDiff);
	if (cover) {
		return cover.index === 0 && !cover.isReply && cover.version === place?.version && cover.count === place.count;
	}
	const names = namesOf(above.from, above.sender);
	return (
		place?.isNumbered === true &&
		above.hasDiff !== true &&
		subjectOfThread(above.subject) === above.subject.trim() &&
		namesOf(patch.from, patch.sender).some((name) => names.includes(name))
	);
}
