import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { notify, offer } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { DraftComment } from 'patchmail/review/reviewDraft.ts';
import { moveBack, moveComment } from '../../../store/drafts/movedDrafts.ts';
import { reviewDraft, reviewSubject, type Reviewed } from '../../../store/drafts/reviewDrafts.ts';
import { patchsetTarget } from '../../lists/subjects/listTargets.ts';
import { subjectOfReview } from '../../lists/subjects/reviewUri.ts';
import { draftOffers, isMovable, type DraftsOffer } from '../versions/draftOffers.ts';
import type { ReplyContext } from './readReview.ts';
import { keepTyped } from './sendReview.ts';

/** Commands that move draft comments to the newest version of a patchset, and back. */
export function moveCommands(parts: ReplyContext): CommandTable {
	return {
		'forge.review.moveDrafts': async (subject, signal) =>
			moveDrafts(parts, await patchsetTarget(parts, subject, signal), signal),
		'forge.review.moveDraftsBack': async (subject, signal) =>
			moveAllBack(parts, await patchsetTarget(parts, subject, signal)),
	};
}

async function moveDrafts(parts: ReplyContext, of: Reviewed, signal: AbortSignal): Promise<void> {
	const { connectionKey } = of;
	const connection = connectionOf(parts.connections, of);
	const offers = await withProgress(vscode.l10n.t('Comparing versions…'), signal, async (working) => {
		const review = await connection.reviews.read(of.ref, working);
		for (const { patchset } of review.versions) {
			await keepTyped(parts, { connectionKey, ref: { list: of.ref.list, id: patchset.id } });
		}
		return draftOffers(parts, connection, review, working);
	});
	const [first] = offers;
	if (!first) {
		void notify('information', vscode.l10n.t('No draft comment is on an earlier version of this patchset.'));
		throw cancelled();
	}
	const to = { connectionKey, ref: first.later.ref };
	let [moved, all] = [0, 0];
	for (const each of offers) {
		moved += await moveOffered(parts, to, each);
		all += each.drafts.length;
	}
	const { version } = first.later.patchset;
	if (moved === 0) {
		const why = vscode.l10n.t('No draft comment can move to v{0}. They are kept where they are.', version);
		void notify('information', why);
		return;
	}
	await vscode.commands.executeCommand('forge.patchsets.open', subjectOfReview(to));
	const done =
		moved === all
			? vscode.l10n.t('Draft comments moved to v{0}: {1}.', version, moved)
			: vscode.l10n.t('Draft comments moved to v{0}: {1}. Kept where they are: {2}.', version, moved, all - moved);
	void offer('information', done, vscode.l10n.t('Undo'), () => moveAllBack(parts, to));
}

/** Returns the number of moved drafts. */
async function moveOffered(
	{ drafts, mailDrafts, clock }: ReplyContext,
	to: Reviewed,
	{ earlier, drafts: offered }: DraftsOffer,
): Promise<number> {
	const from = { ...to, ref: earlier.ref };
	let count = 0;
	for (const each of offered.filter(isMovable)) {
		const { draft, fate, lines } = each;
		const textIn = (of: Reviewed): string | undefined =>
			reviewDraft(drafts, of).comments.find(({ id }) => id === draft.id)?.text;
		// Another window sent, discarded or changed it, or the place has another text of this id.
		if (fate.kind === 'lost' || textIn(from) !== draft.text || (textIn(to) ?? draft.text) !== draft.text) {
			continue;
		}
		const { place, suggestion } = draft;
		const isChanged = fate.kind === 'changed';
		const moved = {
			patchset: earlier.ref.id,
			version: earlier.patchset.version,
			place,
			suggestion,
			isChanged,
			lines,
		};
		const after = { ...draft, place: fate.place, suggestion: isChanged ? undefined : fate.suggestion, moved };
		await moveComment(drafts, to, after, clock.nowMs());
		await closeDocument(mailDrafts, from, draft);
		count += 1;
	}
	return count;
}

async function moveAllBack(parts: ReplyContext, at: Reviewed): Promise<void> {
	const { drafts, mailDrafts, clock } = parts;
	await keepTyped(parts, at);
	const comments = reviewDraft(drafts, at).comments.flatMap((comment) =>
		comment.moved ? [{ ...comment, moved: comment.moved }] : [],
	);
	if (comments.length === 0) {
		void notify('information', vscode.l10n.t('No draft comment of this version came from an earlier one.'));
		throw cancelled();
	}
	for (const comment of comments) {
		await moveBack(drafts, at, comment, clock.nowMs());
		await closeDocument(mailDrafts, at, comment);
	}
	void notify('information', vscode.l10n.t('Draft comments moved back: {0}.', comments.length));
}

/** A keystroke in a document would create the draft again at its old place. */
async function closeDocument(
	mailDrafts: ReplyContext['mailDrafts'],
	of: Reviewed,
	{ id, place, text }: DraftComment,
): Promise<void> {
	const about = reviewSubject(of, { kind: 'comment', id, place });
	if (mailDrafts.textOf(about) === text) {
		await mailDrafts.finish(about);
	}
}
