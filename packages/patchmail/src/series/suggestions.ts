import { answeredPatches, parentsIn } from './answeredPatches.ts';
import type { ListedPatchset } from './listedPatchset.ts';
import { ownLines } from './ownLines.ts';
import { isOwnTrailer, listsOf } from './ownTrailer.ts';
import type { SeriesMail, SeriesReading } from './seriesReading.ts';
import { inSentOrder, sentMs } from './sentOrder.ts';
import { trailerLines } from './trailerLines.ts';
import type { Likeness } from './likeness.ts';
import { verdictIn, type Verdict } from './verdict.ts';
import { replaces, type FoundVersion, type VersionLink } from './versions.ts';

/** Input for suggestions. `P`: kind of patchset, `L`: kind of version link. */
interface SuggestionFacts<P extends ListedPatchset> {
	readonly patchset: P & { readonly status: string };
	readonly versions: readonly FoundVersion<P>[];
	readonly series: SeriesReading;
	readonly thread: readonly SeriesMail[];
	/** `~name` of each person whose word decides: the list's owner. */
	readonly maintainers: readonly string[];
}

/** A suggested status. */
export type SuggestedStatus<P> =
	| {
			readonly kind: 'superseded';
			readonly status: 'superseded';
			readonly by: P;
			readonly link: VersionLink;
			readonly likeness?: Likeness;
	  }
	/** Evidence: the last word of the thread, from a maintainer. */
	| {
			readonly kind: 'approvedInThread' | 'appliedInThread' | 'revisionAskedInThread';
			readonly status: 'approved' | 'applied' | 'needs_revision';
			readonly mail: SeriesMail;
			readonly quote: string;
	  };

/** Final statuses need no suggestion. */
const settled = ['applied', 'rejected', 'superseded'];

/**
 * Suggested statuses, strongest first; empty for the current or a final status. Evidence is a clear last word of a
 * maintainer.
 */
export function suggestStatus<P extends ListedPatchset>(facts: SuggestionFacts<P>): readonly SuggestedStatus<P>[] {
	if (settled.includes(facts.patchset.status)) {
		return [];
	}
	const newest = facts.versions.findLast((version) => replaces(version, facts.patchset));
	const newerVersion: readonly SuggestedStatus<P>[] =
		newest?.link === undefined
			? []
			: [
					{
						kind: 'superseded',
						status: 'superseded',
						by: newest.patchset,
						link: newest.link,
						...(newest.likeness ? { likeness: newest.likeness } : {}),
					},
				];
	return [...inThread(facts), ...newerVersion].filter(({ status }) => status !== facts.patchset.status);
}

function sentMsOfMail({ createdMs, reading }: SeriesMail): number {
	return sentMs(createdMs, reading.kind === 'read' ? reading.mail.dateMs : undefined);
}

interface Said {
	readonly mail: SeriesMail;
	readonly verdict: Verdict;
}

function inThread<P extends ListedPatchset>(facts: SuggestionFacts<P>): readonly SuggestedStatus<P>[] {
	const mails = inSentOrder(facts.thread, { parentOf: parentsIn(facts.thread), sentMsOf: sentMsOfMail });
	const said = maintainersWords(mails, facts);
	const last = said.at(-1);
	if (last === undefined) {
		return [];
	}
	const {
		mail,
		verdict: { kind, quote },
	} = last;
	// "Applied" stays true after later mails. Other verdicts end with the next mail.
	if (kind !== 'applied' && mails.at(-1) !== mail) {
		return [];
	}
	switch (kind) {
		case 'applied':
			return [{ kind: 'appliedInThread', status: 'applied', mail, quote }];
		case 'approved':
			return [{ kind: 'approvedInThread', status: 'approved', mail, quote }];
		case 'revisionAsked':
			return [{ kind: 'revisionAskedInThread', status: 'needs_revision', mail, quote }];
	}
}

/** Maintainers' verdicts on the whole series, in the order of `mails`. */
function maintainersWords<P extends ListedPatchset>(
	mails: readonly SeriesMail[],
	facts: SuggestionFacts<P>,
): readonly Said[] {
	const { series, maintainers } = facts;
	const parts = new Set([series.cover?.id, ...series.patches.map(({ mail }) => mail.id)]);
	const patchesOf = answeredPatches(mails, series);
	const lists = listsOf(mails.filter(({ id }) => parts.has(id)));
	return mails
		.filter(({ id, account }) => account !== undefined && maintainers.includes(account) && !parts.has(id))
		.flatMap((mail) => {
			const verdict = verdictOf(mail, lists);
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
			// Without a cover letter, the first patch is the place for general replies.
			const isHead = cover === undefined && covered[0] === patches[0]?.index;
			return covered.length > 0 && (isHead || covered.length === patches.length);
		}
	}
}

/** The verdict in a mail's words, else the writer's own trailer: it implies a review. */
function verdictOf(mail: SeriesMail, lists: ReadonlySet<string>): Verdict | undefined {
	if (mail.reading.kind === 'raw') {
		return undefined;
	}
	const { text, from } = mail.reading.mail;
	const lines = ownLines(text);
	const verdict = verdictIn(lines, from[0]?.name ?? '');
	if (verdict !== undefined) {
		return verdict;
	}
	const approval = trailerLines(lines, true).findLast(
		(line) =>
			(line.key === 'Reviewed-by' || line.key === 'Acked-by') &&
			line.condition === undefined &&
			isOwnTrailer(mail, line, lists),
	);
	return approval && { kind: 'approved', quote: `${approval.key}: ${approval.value}` };
}
