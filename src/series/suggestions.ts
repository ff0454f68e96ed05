import type { Patchset, SettablePatchsetStatus } from '../forge/list.ts';
import { answeredPatches } from './answeredPatches.ts';
import { ownLines } from './ownLines.ts';
import { isOwnTrailer } from './ownTrailer.ts';
import type { SeriesMail, SeriesReading } from './seriesReading.ts';
import { arrivalOrder } from './seriesProblems.ts';
import { trailerLines } from './trailerLines.ts';
import { verdictIn, type Verdict } from './verdict.ts';
import { versionOf } from './versions.ts';

/** What the suggestions rest on. */
export interface SuggestionFacts<L> {
	readonly patchset: Patchset;
	readonly versions: readonly { readonly patchset: Patchset; readonly link: L | undefined }[];
	readonly series: SeriesReading;
	readonly thread: readonly SeriesMail[];
	/** `~name` of everybody whose word decides: the list's owner. */
	readonly maintainers: readonly string[];
}

/** A status that the facts speak for. `L` is how versions are linked. */
export type SuggestedStatus<L> =
	| { readonly kind: 'superseded'; readonly status: SettablePatchsetStatus; readonly by: Patchset; readonly link: L }
	/** The thread says so: a maintainer's answer after which nothing came. */
	| {
			readonly kind: 'approvedInThread' | 'appliedInThread' | 'revisionAskedInThread';
			readonly status: SettablePatchsetStatus;
			readonly mail: SeriesMail;
			readonly quote: string;
	  };

/** A word that is settled: nothing speaks against it any more. */
const settled = ['applied', 'rejected', 'superseded'];

/**
 * Statuses that the facts speak for, the strongest first; empty where the status says it already or is settled. Only
 * what a maintainer clearly says counts, and it must be the last word.
 */
export function suggestStatus<L>(facts: SuggestionFacts<L>): readonly SuggestedStatus<L>[] {
	if (settled.includes(facts.patchset.status)) {
		return [];
	}
	return [...inThread(facts), ...newerVersion(facts)].filter(({ status }) => status !== facts.patchset.status);
}

function newerVersion<L>({ patchset, versions }: SuggestionFacts<L>): readonly SuggestedStatus<L>[] {
	const newest = versions.at(-1);
	return newest?.link === undefined || versionOf(newest.patchset) <= versionOf(patchset)
		? []
		: [{ kind: 'superseded', status: 'superseded', by: newest.patchset, link: newest.link }];
}

interface Said {
	readonly mail: SeriesMail;
	readonly verdict: Verdict;
}

function inThread<L>(facts: SuggestionFacts<L>): readonly SuggestedStatus<L>[] {
	const mails = facts.thread.toSorted(arrivalOrder);
	const said = maintainersWords(mails, facts);
	const last = said.at(-1);
	if (last === undefined) {
		return [];
	}
	const { mail, verdict } = last;
	// That it was applied stays true whatever is answered; all else is only true while nobody answers.
	const isLast = verdict.kind === 'applied' || mails.at(-1) === mail;
	return isLast ? [suggestionOf(last)] : [];
}

function suggestionOf<L>({ mail, verdict: { kind, quote } }: Said): SuggestedStatus<L> {
	switch (kind) {
		case 'applied':
			return { kind: 'appliedInThread', status: 'applied', mail, quote };
		case 'approved':
			return { kind: 'approvedInThread', status: 'approved', mail, quote };
		case 'revisionAsked':
			return { kind: 'revisionAskedInThread', status: 'needs_revision', mail, quote };
	}
}

/** What maintainers say of the whole series, in the order of `mails`. */
function maintainersWords<L>(mails: readonly SeriesMail[], facts: SuggestionFacts<L>): readonly Said[] {
	const { series, maintainers } = facts;
	const parts = new Set([series.cover?.id, ...series.patches.map(({ mail }) => mail.id)]);
	const patchesOf = answeredPatches(mails, series);
	return mails
		.filter(({ id, account }) => account !== undefined && maintainers.includes(account) && !parts.has(id))
		.flatMap((mail) => {
			const verdict = verdictOf(mail);
			return verdict !== undefined && speaksOfAll(verdict, patchesOf(mail), series) ? [{ mail, verdict }] : [];
		});
}

function speaksOfAll({ kind }: Verdict, covered: readonly number[], { cover, patches }: SeriesReading): boolean {
	switch (kind) {
		case 'revisionAsked':
			return covered.length > 0;
		case 'approved':
			return covered.length > 0 && covered.length === patches.length;
		case 'applied': {
			// Without a cover letter, the first patch is where people speak of the whole.
			const isHead = cover === undefined && covered[0] === patches[0]?.index;
			return covered.length > 0 && (isHead || covered.length === patches.length);
		}
	}
}

/** What a mail says by its words, else by its writer's own name under the patches, which they have read then. */
function verdictOf(mail: SeriesMail): Verdict | undefined {
	if (mail.reading.kind === 'raw') {
		return undefined;
	}
	const { text, from } = mail.reading.mail;
	const lines = ownLines(text);
	const verdict = verdictIn(lines, from[0]?.name ?? '');
	if (verdict !== undefined) {
		return verdict;
	}
	const approval = trailerLines(lines).findLast(
		(line) => (line.key === 'Reviewed-by' || line.key === 'Acked-by') && isOwnTrailer(mail, line),
	);
	return approval && { kind: 'approved', quote: `${approval.key}: ${approval.value}` };
}
