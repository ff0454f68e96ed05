import * as vscode from 'vscode';
import type { CommandId } from '../../../commands/table.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { restorePage, type PageContent, type PageLink } from '../../../editor/pages/pageHost.ts';
import { followLink, run, withNotice } from '../../../editor/links/pageRequests.ts';
import { settablePatchsetStatuses } from 'sourcehut/port/list.ts';
import { unlessMissing } from 'sourcehut/port/isAway.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { wordOf } from 'sourcehut/port/word.ts';
import { action, handler, itemId, nothing } from '../../../pages/protocol/pageProtocol.ts';
import { mailPart } from '../../../pages/protocol/mailsProtocol.ts';
import {
	type PatchsetProtocol,
	chosenComment,
	draftId,
	patchsetAction,
	patchsetPart,
	seriesComment,
	statusWord,
	type PatchsetAction,
} from '../../../pages/protocol/patchsetProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import type { ListsContext, PageArea } from '../../lists/context/listsContext.ts';
import { replyBoxes } from '../../lists/send/replyBoxes.ts';
import { mailHandlers } from '../../lists/thread/mailHandlers.ts';
import { setStatus } from '../../lists/status/setStatus.ts';
import { patchsetTarget } from '../../lists/subjects/listTargets.ts';
import { patchsetSubject, type PatchsetSubject, type MailSubject } from '../../lists/subjects/subjects.ts';
import { patchsetWebLink, quotedMessageId } from '../../lists/subjects/webLink.ts';
import { tabTitle, patchsetReference } from './headView.ts';
import { OpenPatchset } from './openPatchset.ts';

const commandOf: Readonly<Record<Exclude<PatchsetAction, 'copyReference'>, CommandId>> = {
	openThread: 'forge.patchsets.openThread',
	openDiffs: 'forge.patchsets.openDiff',
	save: 'forge.patchsets.save',
	copyCommand: 'forge.patchsets.copyCommand',
	checkApplies: 'forge.patchsets.checkApplies',
	apply: 'forge.patchsets.apply',
	finishApplied: 'forge.patchsets.finishApplied',
	addTrailer: 'forge.review.setTrailer',
	nextUnviewed: 'forge.patchsets.nextUnviewed',
	copyLink: 'forge.copyLink',
	copyMessageId: 'forge.lists.copyMessageId',
	openOnWeb: 'forge.openOnWeb',
	linkVersion: 'forge.patchsets.linkVersion',
	previewReview: 'forge.review.preview',
	sendReview: 'forge.review.send',
	discardReview: 'forge.review.discard',
	lookUpKeys: 'forge.lists.lookUpKeys',
	moveDrafts: 'forge.review.moveDrafts',
	moveDraftsBack: 'forge.review.moveDraftsBack',
};

/** Composes the pages of patchsets. */
export function patchsetPages(parts: ListsContext): PageArea {
	const ending = new AbortController();
	return {
		commands: {
			'forge.patchsets.open': async (subject, signal) => {
				const patchset = await patchsetTarget(parts, subject, signal);
				const { lists } = connectionOf(parts.connections, patchset);
				const { connectionKey, ref } = patchset;
				if (lists.knownPatchset(ref)?.isGuess === true) {
					// A row may be a message without a patch. The page explains other failures.
					const isThere = await withProgress(vscode.l10n.t('Loading patches…'), signal, (working) =>
						unlessMissing(lists.patchset(ref, working)),
					).then(
						(read) => read !== undefined,
						() => true,
					);
					signal.throwIfAborted();
					if (!isThere) {
						await run('forge.lists.openThread', { kind: 'mail', connectionKey, list: ref.list, id: ref.id });
						return;
					}
				}
				parts.pages.open(patchsetPage(parts, patchset, ending.signal));
			},
		},
		restorePage: restorePage(patchsetSubject, (panel, subject) => {
			parts.pages.restore(panel, patchsetPage(parts, subject, ending.signal));
		}),
		dispose() {
			ending.abort();
		},
	};
}

/** Page of a patchset. `writing` outlives the page: a running write may already have reached the forge. */
export function patchsetPage(
	parts: ListsContext,
	subject: PatchsetSubject,
	writing: AbortSignal,
): PageContent<PatchsetProtocol> {
	const { connectionKey, ref } = subject;
	const known = parts.connections.byKey(connectionKey)?.lists.knownPatchset(ref);
	return {
		type: 'forge.patchset',
		key: `${connectionKey} ${refText(ref.list)} ${ref.id}`,
		title: tabTitle(ref, known),
		icon: 'git-pull-request',
		subject,
		script: 'patchset.js',
		styles: ['page.css', 'mailText.css', 'mails.css', 'files.css', 'patchsetPage.css'],
		keptOpenBy: ['openPatchset', 'follow', 'openReply'],
		connect(link) {
			const replies = replyBoxes(
				parts,
				{ connectionKey, list: ref.list },
				link,
				(mail) => mailOf(parts, subject, mail),
				() => page.published(),
			);
			const page = new OpenPatchset(parts, subject, link, (mails) => replies.views(mails));
			return {
				handlers: { ...patchsetHandlers(page, parts, subject, link, writing), ...replies.handlers },
				start: page.open(),
			};
		},
	};
}

/** Requests that the page may send. Commands report their own failures. */
function patchsetHandlers(
	page: OpenPatchset,
	parts: ListsContext,
	subject: PatchsetSubject,
	link: PageLink<PatchsetProtocol>,
	/** Lets a write finish after its page closed. */
	writing: AbortSignal,
) {
	const { connectionKey, ref } = subject;
	const mail = (id: number): MailSubject => mailOf(parts, subject, id);
	const connection = (): Connection => connectionOf(parts.connections, subject);
	const other = (id: number): PatchsetSubject => ({ ...subject, ref: { list: ref.list, id } });
	return {
		...mailHandlers(
			parts,
			connectionKey,
			mail,
			(id) =>
				connection()
					.reviews.known(ref)
					?.series.patches.some((patch) => patch.mail.id === id) === true
					? ref.id
					: connection().lists.knownMail(id)?.patchsetId,
			link.signal,
		),
		readAgain: action(itemId, () => page.read('standing')),
		readWhole: action(itemId, async (id) => {
			await connection().texts.readWhole(id, link.signal);
			await page.read('standing');
		}),
		load: handler(nothing, () => Promise.resolve(page.load())),
		again: action(patchsetPart, (part) => page.again(part)),
		run: action(patchsetAction, (wanted) => {
			const messageId = quotedMessageId(connectionOf(parts.connections, subject), ref);
			return wanted === 'copyReference'
				? vscode.env.clipboard.writeText(patchsetReference(ref, messageId))
				: run(commandOf[wanted], subject);
		}),
		setStatus: action(statusWord, async (word) => {
			const status = wordOf(settablePatchsetStatuses, word);
			// A refusal has a next step, such as signing in. Only a notice can offer it.
			await withNotice(parts.problems, () => setStatus(parts.statuses, [subject], status, writing));
			page.changed();
		}),
		toggleViewed: action(mailPart, ({ mail: mailId, part }) => {
			const file = { kind: 'patchFile', connectionKey, list: ref.list, patchsetId: ref.id, mailId, fileIndex: part };
			return run('forge.patchsets.toggleViewed', part === undefined ? mail(mailId) : file);
		}),
		keepComment: handler(seriesComment, (text) => page.comment.keep(text, writing)),
		openComment: action(chosenComment, ({ mail: id, comment }) =>
			run('forge.comments.open', { ...mail(id), patchsetId: ref.id, comment }),
		),
		openOutcome: action(chosenComment, (chosen) => page.own.openComment(chosen)),
		openDraft: action(draftId, (id) => page.own.openDraft(id)),
		openMail: action(itemId, (id) => run('forge.lists.openThread', mail(id))),
		openPatchset: action(itemId, (id) => run('forge.patchsets.open', other(id))),
		compareVersion: action(itemId, (id) => run('forge.patchsets.compareVersions', { ...subject, otherVersion: id })),
		openVersionChanges: action(itemId, (id) =>
			run('forge.patchsets.openVersionChanges', { ...subject, otherVersion: id }),
		),
		unlinkVersion: action(itemId, async (id) => {
			const { reviews } = connectionOf(parts.connections, subject);
			await reviews.unlinkVersions(ref, other(id).ref);
			page.changed();
		}),
		follow: followLink(
			parts,
			connectionKey,
			() => patchsetWebLink(connectionOf(parts.connections, subject), ref),
			link.signal,
		),
	};
}

/** Pages are untrusted: accepts only mails of the patchset and its thread. */
function mailOf({ connections }: ListsContext, { connectionKey, ref }: PatchsetSubject, id: number): MailSubject {
	const review = connectionOf(connections, { connectionKey }).reviews.known(ref);
	const { cover, patches } = review?.series ?? { cover: undefined, patches: [] };
	const all = [...(cover ? [cover] : []), ...patches.map(({ mail }) => mail), ...(review?.mails ?? [])];
	const mail = all.find((each) => each.id === id);
	if (!mail) {
		throw new Error(`There is no mail ${id} in the patchset`);
	}
	return { kind: 'mail', connectionKey, list: ref.list, id, messageId: mail.messageId };
}
