import { patchSubject } from 'patchmail/series/patchSubject.ts';
import { localCommits, type LocalCommit } from 'hardened-git/localSeries.ts';
import { mailDraftOf, type MailDraftFault } from 'patchmail/mail/mailDraftText.ts';
import { trailersOf, withTrailer } from 'patchmail/series/commitTrailers.ts';
import { personIn } from 'patchmail/mail/personIn.ts';
import type { OutgoingMail } from 'patchmail/mail/outgoingMail.ts';
import { ownBody } from 'patchmail/review/replyProse.ts';
import { outgoingSeries, type SeriesCover } from 'patchmail/series/outgoingSeries.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import { isBlocking, sendProblems, type SendProblem } from 'patchmail/series/sendChecks.ts';
import { trailerProblems } from './carriedTrailers.ts';
import { patchesOf } from './commitMails.ts';
import { coverOf, withEdits, type BrokenPatch, type PreparedSeries } from './savedSeries.ts';
import type { SubmitContext } from './submitContext.ts';
import type { Way } from './trySending.ts';

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
	/** Problems that git finds when it applies these mails. */
	readonly tried: (mails: readonly OutgoingMail[], way: Way, signal: AbortSignal) => Promise<readonly SendProblem[]>;
}

/** Rebuilds a series from its commits and its cover letter. Throws `GitFailure`. */
export async function readSeries(
	parts: SubmitContext,
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
	const { commits, patches, stated } = await patchesOf(parts, series, series.mails.length > 1, signal);
	const messageIds = series.mails.map(({ messageId }) => messageId);
	const before = await localCommits(
		parts.git,
		series.root,
		{ since: undefined, tip: series.base, count: history },
		signal,
	);
	const clone = (await parts.findGit(signal))?.repositories.find(({ rootUri }) => rootUri.fsPath === series.root);
	const sendable = patches.flatMap(({ commit, read }) => (read ? [{ commit, patch: read.patch }] : []));
	const made = outgoingSeries(
		{ ...addressed, cover, messageIds },
		sendable.map(({ patch }) => patch),
	);
	const { mails, edited, broken } = withEdits(parts.mailDrafts, series, made);
	const tried: ReadSeries['tried'] = (all, way, working) => {
		const first = Number(series.hasCover);
		const leaving = all.slice(first).map((mail, at) => ({
			mail,
			commit: sendable[at]?.commit ?? '',
			isEdited: edited.has(at + first),
		}));
		return parts.tried(series, commits, leaving, way, working);
	};
	const { commit: named, unpublished } = stated;
	const problems = sendProblems({
		cover: cover?.body,
		commits: commits.map((commit) => ({
			...commit,
			message: (series.trailers ?? [])
				.filter((trailer) => trailer.commit === commit.id)
				.reduce(withTrailer, commit.message),
		})),
		patches: patches.map(({ commit, read }) => ({
			commit,
			subject: read?.patch.subject,
			patch: read && patchMailOf({ kind: 'read', mail: read.mail }, read.patch.subject),
		})),
		others: [
			...(unpublished === 0
				? []
				: [{ kind: 'unpublishedBase', commits: unpublished, isNamed: named !== series.base } as const]),
			...series.commands.flatMap(({ people, ...command }) =>
				people ? [] : [{ kind: 'commandNotRun', ...command } as const],
			),
			...unknownAddresses(mails, series.knownAddresses ?? [], commits),
			...(await trailerProblems(parts, series, patches, signal)),
			...(await tried(mails, 'git', signal)),
		],
		history: before.map(({ message }) => message),
		uncommitted: clone ? clone.state.indexChanges.length + clone.state.workingTreeChanges.length : 0,
	});
	const own = mails.filter((_, at) => edited.has(at) || (at === 0 && series.hasCover));
	// An edited first patch may have another subject, and the forge takes the patchset's title from it.
	const [first] = mails;
	const title = (first && patchSubject(first.subject)?.subject) ?? series.title;
	const titled = written ? addressed : { ...addressed, title };
	return { series: titled, mails, made, edited, broken, own, problems, tried };
}

export function isSendable({ problems }: ReadSeries): boolean {
	return !problems.some(isBlocking);
}

/** Recipients that no known mail and no commit names: probably mistyped. */
function unknownAddresses(
	mails: readonly OutgoingMail[],
	known: readonly string[],
	commits: readonly LocalCommit[],
): readonly SendProblem[] {
	const named = commits.flatMap(({ author, message }) => [
		author.address,
		...trailersOf(message).map(({ value }) => personIn(value).address),
	]);
	const all = new Set([...known, ...named].map((address) => address.toLowerCase()));
	const recipients = new Set(mails.flatMap(({ to, cc }) => [...to, ...cc].map(({ address }) => address)));
	return Array.from(recipients)
		.filter((address) => !all.has(address.toLowerCase()))
		.map((address) => ({ kind: 'unknownAddress', address }) as const);
}
