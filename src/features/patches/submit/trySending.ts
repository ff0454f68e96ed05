import { isAbort } from '@forge-desk/base/abort.ts';
import { treeOf, type LocalCommit } from 'hardened-git/localSeries.ts';
import { scratchApply } from 'hardened-git/scratchApply.ts';
import { mailFile, type OutgoingMail } from 'patchmail/mail/outgoingMail.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { mailboxOf } from 'patchmail/series/mbox.ts';
import type { SendProblem } from 'patchmail/series/sendChecks.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { changedPaths } from '../apply/patchedFiles.ts';
import type { PreparedSeries } from './savedSeries.ts';

/** Previews follow every change of a cover letter, and the trial is about the patches alone. */
const mostKept = 4;

/** A series as its mails. */
interface MailedCommits {
	readonly commits: readonly LocalCommit[];
	/** Without the cover letter, before edits. */
	readonly mails: readonly OutgoingMail[];
}

/**
 * Lets git apply the mails of a series at its base, in a repository of our own, and compares the result with the
 * branch. Merges of the branch may have changes that no patch has.
 */
export function seriesTrials({ git, tempFolder, clock }: ListsContext) {
	const kept = new Map<string, readonly SendProblem[]>();

	async function problemsOf(
		{ root, base, tip }: PreparedSeries,
		{ commits, mails }: MailedCommits,
		signal: AbortSignal,
	): Promise<readonly SendProblem[]> {
		const mailbox = mailboxOf(mails.map((mail) => mailFile(mail, clock.nowMs())));
		const files = mails.flatMap(({ body, bytes }) => parseDiff(bytes ?? body).files);
		const paths = Array.from(new Set(files.flatMap(changedPaths)));
		const from = { kind: 'commit', root, commit: base } as const;
		const made = { mailbox, isBare: false, isMerging: false, hash: 'sha1', paths } as const;
		const { stop, tree } = await scratchApply({ git, tempFolder }, from, made, signal);
		if (stop) {
			return [{ kind: 'stops', subject: mails[stop.at - 1]?.subject ?? '' }];
		}
		const isMerge = commits.some(({ parents }) => parents.length > 1);
		return tree === (await treeOf(git, root, tip, signal)) ? [] : [{ kind: 'otherFiles', isMerge }];
	}

	return async (series: PreparedSeries, made: MailedCommits, signal: AbortSignal): Promise<readonly SendProblem[]> => {
		const { root, base, tip } = series;
		const texts = made.mails.map(({ subject, body, bytes }) => [subject, body, bytes]);
		const key = JSON.stringify([root, base, tip, texts]);
		const known = kept.get(key);
		if (known) {
			return known;
		}
		try {
			const found = await problemsOf(series, made, signal);
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
