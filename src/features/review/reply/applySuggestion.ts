import * as vscode from 'vscode';
import { cancelled, confirmOrCancel } from '../../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { applySeries, goOn, takeBack, type ApplyOutcome } from 'hardened-git/applySeries.ts';
import { checkoutIn, madeCommits, type MadeCommit } from 'hardened-git/applyState.ts';
import { filesAtCommit } from 'hardened-git/filesAtCommit.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { localCommits } from 'hardened-git/localSeries.ts';
import { contentsInClone } from 'hardened-git/readClone.ts';
import { blobsOf, scratchApply } from 'hardened-git/scratchApply.ts';
import { mailFile } from 'patchmail/mail/outgoingMail.ts';
import { receivedSuggestion } from 'patchmail/review/receivedSuggestion.ts';
import { mailboxOf } from 'patchmail/series/mbox.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { shortLine, visible, visibleLine } from '../../../engine/text/visible.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { noSenderText } from '../../lists/send/sendWords.ts';
import { newMessageId, writerOf } from '../../lists/send/writer.ts';
import { comparedCommits } from '../../patches/apply/comparedCommits.ts';
import { chooseClone, clonesNow, type OpenClone } from '../../patches/apply/openClone.ts';
import { refusedText } from '../../patches/apply/outcomes.ts';
import { gitReason, pathsOf } from '../../patches/apply/patchedFiles.ts';
import type { CommentThreads, ReplyShown } from '../comments/commentThreads.ts';

/** Commits of a branch to search for the commented one. */
const mostSearched = 500;
/** Lines of a diff in a question. */
const mostLines = 40;

/** Commits a diff of a reply on the open branch, as a fixup of the commit that it is about. */
export function suggestionCommands(parts: ListsContext, threads: CommentThreads): CommandTable {
	return {
		'forge.review.applySuggestion': async (subject, signal) => {
			const reply = threads.replyOf(subject);
			const diff = reply && receivedSuggestion(reply.comment.prose);
			if (!reply || diff === undefined) {
				return tellBriefly(vscode.l10n.t('This comment has no diff that can be applied.'));
			}
			await commitSuggestion(parts, reply, diff, signal);
		},
	};
}

/** Throws `GitFailure`, and `cancelled()` on "no". */
async function commitSuggestion(
	parts: ListsContext,
	{ of, comment: { place } }: ReplyShown,
	diff: string,
	signal: AbortSignal,
): Promise<void> {
	if (!parts.trust.isTrusted()) {
		throw new GitFailure({ kind: 'notTrusted' });
	}
	const { git, clock } = parts;
	const connection = connectionOf(parts.connections, of);
	const review = await withProgress(vscode.l10n.t('Loading the patchset…'), signal, (working) =>
		connection.reviews.read(of.ref, working),
	);
	const mailId = 'mailId' in place ? place.mailId : undefined;
	const about = review.series.patches.find(({ mail }) => mail.id === mailId)?.patch;
	if (!about) {
		return tellBriefly(vscode.l10n.t('This comment is about no patch of the series.'));
	}
	const title = vscode.l10n.t('Trying the suggestion…');
	const clone = await cloneWith(parts, about.subject, signal);
	const root = clone.root.fsPath;
	const writer = await writerOf(connection, parts, root, signal);
	if (!writer) {
		void notify('error', noSenderText());
		return;
	}
	const subject = `fixup! ${about.subject}`;
	const { patch, mailbox } = await fixupMail(parts, writer.from, subject, diff);
	const isBare = patch.patch.diff.isBare;
	const isOther = async (
		before: string,
		made: { readonly commits: readonly MadeCommit[]; readonly contents: ReadonlyMap<string, Uint8Array> },
	): Promise<boolean> => {
		const files = await filesAtCommit(git, root, { commit: before, paths: pathsOf([patch]) }, signal);
		const shown = { patches: [patch], added: [[]], read: async (path: string) => files(path) };
		return made.commits.length !== 1 || (await comparedCommits(clock, shown, made, signal)).length > 0;
	};
	// The editor learns about terminal commands late.
	const at = await checkoutIn(git, root, signal);
	const trial = await withProgress(title, signal, async (working) => {
		const base = { kind: 'commit', root, commit: at.commit } as const;
		const series = { mailbox, isBare, isMerging: false, hash: 'sha1', paths: pathsOf([patch]) } as const;
		const made = await scratchApply(parts, base, series, working);
		return { stop: made.stop, isOther: !made.stop && (await isOther(base.commit, made)) };
	});
	if (trial.stop || trial.isOther) {
		void notify(
			'error',
			vscode.l10n.t('The suggestion does not apply to the open branch as it is shown, so nothing was committed.'),
		);
		return;
	}
	const lines = diff.trimEnd().split('\n');
	const more = lines.length > mostLines ? '\n⋯' : '';
	await confirmOrCancel(
		vscode.l10n.t('Commit this suggestion as "{0}" on {1}?', shortLine(subject, 100), visibleLine(at.branch ?? 'HEAD')),
		visible(`${lines.slice(0, mostLines).join('\n')}${more}`),
		vscode.l10n.t('Commit'),
	);
	const outcome = await withProgress(title, signal, (working) =>
		applySeries(git, { root, mailbox, target: { kind: 'here', at }, isBare, isMerging: false }, working),
	);
	if (outcome.kind !== 'applied') {
		await tellNotApplied(parts, outcome, pathsOf([patch]), signal);
		return;
	}
	const { before, after } = outcome;
	const commits = await madeCommits(git, root, { from: before, to: after }, signal);
	const contents = await contentsInClone(git, root, blobsOf(commits), signal);
	if (await isOther(before, { commits, contents })) {
		const { kind } = await takeBack(git, root, { before, after: { ...at, commit: after } }, signal);
		void notify(
			'error',
			kind === 'takenBack'
				? vscode.l10n.t('Git committed something else than the suggestion shows. The commit was undone.')
				: vscode.l10n.t(
						'Git committed something else than the suggestion shows, and could not undo it. Compare the last commit.',
					),
		);
		return;
	}
	void notify(
		'information',
		vscode.l10n.t(
			'Committed "{0}". Combine it with its commit by git rebase --interactive --autosquash.',
			shortLine(subject, 100),
		),
	);
}

/** The open clone whose branch has a commit of this title. Throws `cancelled()`, after a message, without one. */
async function cloneWith(parts: ListsContext, title: string, signal: AbortSignal): Promise<OpenClone> {
	const found = await withProgress(vscode.l10n.t('Reading commits…'), signal, async (working) => {
		const holding: OpenClone[] = [];
		for (const clone of await clonesNow(parts.findGit, working)) {
			const { commit: tip = '' } = clone.head;
			const range = { since: undefined, tip, count: mostSearched };
			const commits = await localCommits(parts.git, clone.root.fsPath, range, working);
			if (commits.some(({ subject }) => subject === title)) {
				holding.push(clone);
			}
		}
		return holding;
	});
	const [only, ...more] = found;
	if (!only) {
		void notify(
			'information',
			vscode.l10n.t('No open branch has the commit "{0}". Check it out first.', shortLine(title, 100)),
		);
		throw cancelled();
	}
	return more.length === 0 ? only : chooseClone(vscode.l10n.t('Choose the clone to commit in'), found);
}

/** The suggestion as a patch that readers and git read alike. Throws `GitFailure` if they do not. */
async function fixupMail(
	{ mailReader, clock, newName }: ListsContext,
	from: Parameters<typeof newMessageId>[1],
	subject: string,
	diff: string,
): Promise<{ readonly patch: SeriesPatch; readonly mailbox: Uint8Array }> {
	const messageId = newMessageId(newName(), from);
	const thread = { messageId, inReplyTo: undefined, references: [], patchsetStatus: undefined };
	const mail = { from, to: [from], cc: [], subject, body: `---\n${diff}`, ...thread };
	const envelope = mailFile(mail, clock.nowMs());
	const reading = await mailReader.readMail(envelope, { evenIfLarge: true });
	const patch = patchMailOf(reading, subject);
	if (patch?.diffText.slice(patch.diff.start, patch.diff.end) !== diff || patch.gitDiff) {
		throw new GitFailure({ kind: 'refused', what: 'mail' });
	}
	const facts = { id: 1, messageId, parentId: undefined, createdMs: 0, subject, account: undefined };
	return { patch: { index: 1, mail: { ...facts, reading }, patch }, mailbox: mailboxOf([envelope]) };
}

/** Gives up a stopped one, so the branch is as before. */
async function tellNotApplied(
	{ git }: ListsContext,
	outcome: Exclude<ApplyOutcome, { readonly kind: 'applied' }>,
	paths: readonly string[],
	signal: AbortSignal,
): Promise<void> {
	const complaint = 'complaint' in outcome ? gitReason(outcome.complaint) : '';
	const ended =
		outcome.kind === 'stopped'
			? await goOn(git, outcome.folder, 'abort', { ...outcome, ...outcome.state, paths }, signal)
			: outcome;
	const why = ended.kind === 'refused' ? refusedText(ended) : complaint;
	void notify('error', vscode.l10n.t('The suggestion was not committed. {0}', why).trim());
}
