import { patchSubject } from 'patchmail/series/patchSubject.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { formattedPatches, localCommits, type LocalCommit } from 'hardened-git/localSeries.ts';
import { mailDraftOf, type MailDraftFault } from 'patchmail/mail/mailDraftText.ts';
import { isKeptBody, type OutgoingMail } from 'patchmail/mail/outgoingMail.ts';
import type { ReadableMail } from 'patchmail/mail/readableMail.ts';
import { ownBody } from 'patchmail/review/replyProse.ts';
import { outgoingSeries, type SeriesCover } from 'patchmail/series/outgoingSeries.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import { isBlocking, sendProblems, type SendProblem } from 'patchmail/series/sendChecks.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { coverOf, withEdits, type BrokenPatch, type PreparedSeries } from './savedSeries.ts';

/** More commits are no series. */
export const mostCommits = 100;
/** Number of earlier commits to inspect for sign-offs. */
const history = 20;

/** A series as it would go out now. */
export interface ReadSeries {
	/** With the recipients and the title of its cover letter. */
	readonly series: PreparedSeries;
	readonly mails: readonly OutgoingMail[];
	/** The same without the edits of patches. */
	readonly made: readonly OutgoingMail[];
	/** Indexes of edited patches. */
	readonly edited: ReadonlySet<number>;
	/** Edited patches that can't be sent. */
	readonly broken: readonly BrokenPatch[];
	/** Mails with text by the user. */
	readonly own: readonly OutgoingMail[];
	/** Blocking problems first. */
	readonly problems: readonly SendProblem[];
}

/** Rebuilds a series from its commits and its cover letter. Throws `GitFailure`. */
export async function readSeries(
	parts: ListsContext,
	series: PreparedSeries,
	signal: AbortSignal,
): Promise<ReadSeries | { readonly fault: MailDraftFault }> {
	const written = series.hasCover ? mailDraftOf(parts.mailDrafts.textOf(coverOf(series)) ?? '') : undefined;
	if (written !== undefined && 'kind' in written) {
		return { fault: written };
	}
	const cover: SeriesCover | undefined = written && {
		subject: written.subject,
		body: ownBody(written.body),
	};
	const addressed = written ? { ...series, to: written.to, cc: written.cc, title: written.subject } : series;
	const { commits, patches } = await patchesOf(parts, series, series.mails.length > 1, signal);
	const readable = patches.flatMap(({ mail }) => mail ?? []);
	const messageIds = series.mails.map(({ messageId }) => messageId);
	const before = await localCommits(
		parts.git,
		series.root,
		{ since: undefined, tip: series.base, count: history },
		signal,
	);
	const clone = (await parts.findGit(signal))?.repositories.find(({ rootUri }) => rootUri.fsPath === series.root);
	const problems = sendProblems({
		cover: cover?.body,
		commits,
		patches: patches.map(({ commit, mail }) => ({
			commit,
			subject: mail?.subject,
			patch: mail && patchMailOf({ kind: 'read', mail }, mail.subject),
		})),
		history: before.map(({ message }) => message),
		uncommitted: clone ? clone.state.indexChanges.length + clone.state.workingTreeChanges.length : 0,
	});
	const made = outgoingSeries({ ...addressed, cover, messageIds }, readable);
	const { mails, edited, broken } = withEdits(parts.mailDrafts, series, made);
	const own = mails.filter((_, at) => edited.has(at) || (at === 0 && series.hasCover));
	// An edited first patch may have another subject, and the forge takes the patchset's title from it.
	const [first] = mails;
	const title = (first && patchSubject(first.subject)?.subject) ?? series.title;
	const titled = written ? addressed : { ...addressed, title };
	return { series: titled, mails, made, edited, broken, own, problems };
}

export function isSendable({ problems }: ReadSeries): boolean {
	return !problems.some(isBlocking);
}

/** A commit as its mail, read as everybody else will read it. */
export interface SeriesMailOfCommit {
	readonly commit: string;
	/** `undefined` if mail can't represent the commit. */
	readonly mail: ReadableMail | undefined;
}

/** The members of a series that its patches are made from. */
type SeriesSource = Pick<PreparedSeries, 'root' | 'base' | 'tip' | 'tag' | 'from'>;

/** Commits of a series, oldest first, and their mails. */
export async function patchesOf(
	{ git, mailReader }: ListsContext,
	{ root, base, tip, tag, from }: SeriesSource,
	isNumbered: boolean,
	signal: AbortSignal,
): Promise<{ readonly commits: readonly LocalCommit[]; readonly patches: readonly SeriesMailOfCommit[] }> {
	const commits = await localCommits(git, root, { since: base, tip, count: mostCommits + 1 }, signal);
	if (commits.length > mostCommits) {
		throw new GitFailure({ kind: 'tooMuch' });
	}
	const name = from.name.replaceAll(/[<>"\p{Cc}]/gu, ' ').trim();
	const sender = `${name === '' ? from.address : name} <${from.address}>`;
	const wanted = { base, tip, tag, isNumbered, from: sender, commits };
	const formatted = await formattedPatches(git, root, wanted, signal);
	const patches = await Promise.all(
		formatted.map(async ({ commit, envelope }) => {
			if (envelope === undefined) {
				return { commit, mail: undefined };
			}
			const reading = await mailReader.readMail(envelope, { evenIfLarge: true });
			const text = envelope.slice(envelope.indexOf('\n\n') + 2);
			const isSame = reading.kind === 'read' && withoutEnd(reading.mail.body) === withoutEnd(text);
			return { commit, mail: isSame && isKeptBody(text) ? reading.mail : undefined };
		}),
	);
	return { commits, patches };
}

function withoutEnd(text: string): string {
	return text.replace(/\n+$/, '');
}
