import { isAbort } from '@forge-desk/base/abort.ts';
import { madeCommits, type MadeCommit } from 'hardened-git/applyState.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import type { LocalCommit } from 'hardened-git/localSeries.ts';
import { scratchApply } from 'hardened-git/scratchApply.ts';
import { mailFile, mailForGit, mailText, type OutgoingMail } from 'patchmail/mail/outgoingMail.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { withTrailer } from 'patchmail/series/commitTrailers.ts';
import { mailboxOf } from 'patchmail/series/mbox.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import type { SendProblem } from 'patchmail/series/sendChecks.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import type { HandOver } from '../../lists/send/handOver.ts';
import { changedPaths } from '../apply/patchedFiles.ts';
import type { PreparedSeries } from './savedSeries.ts';

/** Previews follow every change of a cover letter, and the trial is about the patches alone. */
const mostKept = 4;
/** Date of the mails in the trial. */
const atMs = 1_000_000_000_000;

/** A patch of a series as it leaves. */
interface LeavingPatch {
	readonly commit: string;
	readonly mail: OutgoingMail;
	/** The user wrote its message, and may have named another author. */
	readonly isEdited: boolean;
}

/** How a mail leaves: by `git send-email`, or with another program. */
export type Way = 'git' | HandOver;

/** The mail as it leaves, with a date. */
function leavingMail(mail: OutgoingMail, way: Way): string {
	const { from, source } = mailForGit(mail) ?? {};
	if (way === 'file' || (way === 'git' && source === undefined)) {
		return mailFile(mail, atMs);
	}
	const date = `Date: ${new Date(atMs).toUTCString().replace('GMT', '+0000')}`;
	return way === 'git' ? `${date}\nFrom: ${from}\n${source}` : `${date}\n${mailText(mail)}`;
}

/**
 * Lets git apply exactly the mails of a series at its base, in a repository of our own, and compares its commits with
 * those of the branch. Merges of the branch may have changes that no patch has.
 */
export function seriesTrials({ git, tempFolder }: ListsContext) {
	const kept = new Map<string, readonly SendProblem[]>();

	async function problemsOf(
		{ root, base, tip, trailers = [] }: PreparedSeries,
		commits: readonly LocalCommit[],
		patches: readonly LeavingPatch[],
		mailbox: Uint8Array,
		signal: AbortSignal,
	): Promise<readonly SendProblem[]> {
		const diffs = patches.flatMap(({ mail: { body, bytes } }) => parseDiff(bytes ?? body).files);
		const paths = Array.from(new Set(diffs.flatMap(changedPaths)));
		const from = { kind: 'commit', root, commit: base } as const;
		const made = { mailbox, isBare: false, isMerging: false, hash: 'sha1', paths } as const;
		const trial = await scratchApply({ git, tempFolder }, from, made, signal);
		const branch = await madeCommits(git, root, { from: base, to: tip }, signal);
		const hasMerge = commits.some(({ parents }) => parents.length > 1);
		const count = trial.stop ? trial.stop.at - 1 : patches.length;
		const problems = patches.slice(0, count).flatMap((patch, at): readonly SendProblem[] => {
			const [own, made] = [branch.find(({ id }) => id === patch.commit), trial.commits[at]];
			if (!own || !made) {
				throw new GitFailure({ kind: 'failed', program: 'git' }, 'commits without a patch');
			}
			const added = trailers.filter((each) => each.commit === own.id);
			return differences({ ...own, message: added.reduce(withTrailer, own.message) }, made, patch, hasMerge);
		});
		const stopped = patches[count];
		if (trial.stop && stopped) {
			const { complaint } = trial.stop;
			const files = branch.find(({ id }) => id === stopped.commit)?.files.map(({ path }) => path) ?? [];
			const path = files.find((each) => complaint.includes(`: ${each}:`)) ?? files[0] ?? '';
			return [...problems, { kind: 'stops', subject: stopped.mail.subject, path }];
		}
		const isSame = trial.commits.at(-1)?.tree === branch.at(-1)?.tree;
		return isSame || problems.some(({ kind }) => kind === 'otherFile')
			? problems
			: [{ kind: hasMerge ? 'mergedFiles' : 'untried' }, ...problems];
	}

	/** Problems of the patches when they leave in this way. */
	return async (
		series: PreparedSeries,
		commits: readonly LocalCommit[],
		patches: readonly LeavingPatch[],
		way: Way,
		signal: AbortSignal,
	): Promise<readonly SendProblem[]> => {
		const { root, base, tip, trailers } = series;
		const mails = patches.map(({ mail }) => leavingMail(mail, way));
		const key = JSON.stringify([root, base, tip, trailers, patches.map(({ isEdited }) => isEdited), mails]);
		const known = kept.get(key);
		if (known) {
			return known;
		}
		try {
			const found = await problemsOf(series, commits, patches, mailboxOf(mails), signal);
			kept.set(key, found);
			const [oldest] = kept.keys();
			if (kept.size > mostKept && oldest !== undefined) {
				kept.delete(oldest);
			}
			return found;
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			return [{ kind: 'untried' }];
		}
	};
}

/** Differences of the commit that git makes of a patch. With merges, the commits before it have other files. */
function differences(
	own: MadeCommit,
	made: MadeCommit,
	{ mail, isEdited }: LeavingPatch,
	hasMerge: boolean,
): readonly SendProblem[] {
	const { subject } = mail;
	const path = hasMerge ? undefined : otherPath(own, made);
	const message = messageLines(isEdited ? writtenMessage(mail) : own.message);
	const isSame = messageLines(made.message) === message && made.dateSeconds === atMs / 1000;
	const isSameAuthor = isEdited || (made.name === own.name && made.address === own.address);
	return [
		...(path === undefined ? [] : [{ kind: 'otherFile', subject, path } as const]),
		...(isSame ? [] : [{ kind: 'otherMessage', subject } as const]),
		...(isSameAuthor ? [] : [{ kind: 'otherAuthor', subject, author: `${made.name} <${made.address}>` } as const]),
	];
}

/** A file that the commits do not change alike. */
function otherPath(own: MadeCommit, made: MadeCommit): string | undefined {
	const keysOf = ({ files }: MadeCommit): ReadonlyMap<string, string> =>
		new Map(files.map(({ path, after, afterMode }) => [`${path} ${after} ${afterMode}`, path]));
	const [ours, theirs] = [keysOf(own), keysOf(made)];
	const [, path] = [...ours, ...theirs].find(([key]) => !ours.has(key) || !theirs.has(key)) ?? [];
	return path;
}

/** Git joins the lines of a title, and drops blanks at the ends of lines and between paragraphs. */
function messageLines(message: string): string {
	const [title = '', ...rest] = message.trim().split(/\n\s*\n/);
	const lines = rest.flatMap((paragraph) => paragraph.split('\n')).map((line) => line.trimEnd());
	return [title.replaceAll(/\s+/g, ' ').trim(), ...lines.filter((line) => line !== '')].join('\n');
}

/** The message of a mail as people read it: title and text up to the line `---`. */
function writtenMessage({ subject, body }: OutgoingMail): string {
	const [text = ''] = body.split(/^---[ \t]*$/m, 1);
	return `${patchSubject(subject)?.subject ?? subject}\n\n${text.replace(/^\s*From: .*\n/, '')}`;
}
