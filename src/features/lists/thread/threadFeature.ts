import * as vscode from 'vscode';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { restorePage, type PageContent, type PageLink } from '../../../editor/pages/pageHost.ts';
import { followLink, run } from '../../../editor/links/pageRequests.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { action, handler, itemId, nothing, wholeNumber } from '../../../pages/protocol/pageProtocol.ts';
import { type ThreadProtocol, threadLook } from '../../../pages/protocol/threadProtocol.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { replyBoxes } from '../send/replyBoxes.ts';
import { mailTarget, patchsetTarget } from '../subjects/listTargets.ts';
import { rootOf } from '../subjects/mailPlaces.ts';
import { mailSubject, type MailSubject } from '../subjects/subjects.ts';
import { webLink } from '../subjects/webLink.ts';
import { mailHandlers } from './mailHandlers.ts';
import { OpenThread } from './openThread.ts';
import { threadTitle } from './threadPublisher.ts';
import { webAddress } from '../../../editor/links/webOf.ts';

/** Conversations as pages. */
export function threadPages(context: ListsContext) {
	/** `subject` is any mail of the conversation; the page shows it. */
	async function openAt(subject: MailSubject, signal: AbortSignal): Promise<void> {
		const connection = connectionOf(context.connections, subject);
		const id = await withProgress(vscode.l10n.t('Opening the thread…'), signal, (working) =>
			rootOf(connection, subject, working),
		);
		const first: MailSubject =
			id === subject.id ? subject : { ...subject, id, messageId: connection.lists.knownMail(id)?.messageId };
		context.pages.open(threadPage(context, first), subject.id);
	}

	async function step(way: 'next' | 'previous'): Promise<void> {
		context.pages.front<ThreadProtocol>('forge.thread')?.tell('step', way);
	}

	const commands: CommandTable = {
		'forge.lists.nextMail': () => step('next'),
		'forge.lists.previousMail': () => step('previous'),
		'forge.lists.openThread': async (subject, signal) => openAt(await mailTarget(context, subject, signal), signal),
		'forge.patchsets.openThread': async (subject, signal) => {
			const { connectionKey, ref } = await patchsetTarget(context, subject, signal);
			const { lists } = connectionOf(context.connections, { connectionKey });
			const { cover, patches } = await withProgress(vscode.l10n.t('Opening the thread…'), signal, (working) =>
				lists.series(ref, working),
			);
			const mail = cover ?? patches[0];
			if (!mail) {
				throw new ForgeError({ kind: 'notFound' });
			}
			await openAt({ kind: 'mail', connectionKey, list: ref.list, id: mail.id, messageId: mail.messageId }, signal);
		},
	};
	return {
		/** Opens the conversation of any of its mails, and shows that mail. */
		open: openAt,
		commands,
		restorePage: restorePage(mailSubject, (panel, subject) => {
			context.pages.restore(panel, threadPage(context, subject));
		}),
		dispose: () => undefined,
	};
}

/** The page of one conversation. `subject`: its first mail. */
export function threadPage(context: ListsContext, subject: MailSubject): PageContent<ThreadProtocol> {
	const { list, id } = subject;
	const lists = context.connections.byKey(subject.connectionKey)?.lists;
	const first = lists?.knownThread(list, id)?.find((mail) => mail.id === id) ?? lists?.knownMail(id);
	return {
		type: 'forge.thread',
		key: `${subject.connectionKey} ${refText(list)} ${id}`,
		title: first ? threadTitle(first) : vscode.l10n.t('Thread in {0}', visibleLine(list.name)),
		icon: 'comment-discussion',
		subject,
		script: 'thread.js',
		styles: ['page.css', 'mailText.css', 'mails.css', 'threadPage.css'],
		keptOpenBy: ['follow', 'openReply'],
		connect(link) {
			// The first mail needs no scrolling in a new page.
			const replies = replyBoxes(
				context,
				subject,
				link,
				(mail) => mailSubjectOf(page, subject, mail),
				() => page.live.changed(),
			);
			const page = new OpenThread(
				context,
				subject,
				{ ...link, entry: link.entry === id ? undefined : link.entry },
				(mails) => replies.views(mails),
			);
			return {
				handlers: { ...threadHandlers(page, context, subject, link), ...replies.handlers },
				start: page.live.open(),
			};
		},
	};
}

/** Requests that the page may send. */
function threadHandlers(page: OpenThread, context: ListsContext, subject: MailSubject, link: PageLink<ThreadProtocol>) {
	const { connectionKey, list } = subject;
	const mailAt = (id: number): MailSubject => mailSubjectOf(page, subject, id);
	return {
		...mailHandlers(
			context,
			connectionKey,
			mailAt,
			(mail) => page.live.connection().lists.knownMail(mail)?.patchsetId,
			link.signal,
		),
		readAgain: action(itemId, async (mail) => {
			await page.texts().again(mail);
			await page.live.changed();
		}),
		readWhole: action(itemId, async (mail) => {
			await page.texts().readWhole(mail);
			await page.live.changed();
		}),
		load: handler(wholeNumber, (number) => page.live.start(number)),
		again: action(nothing, async () => {
			await page.live.load();
			await page.live.changed();
		}),
		keepLook: action(threadLook, (look) => context.threadLook.keep(look)),
		openPatchset: action(itemId, (id) =>
			run('forge.patchsets.open', { kind: 'patchset', connectionKey, ref: { list, id } }),
		),
		mark: action(itemId, (mail) => link.mark(mailAt(mail))),
		newMail: action(nothing, () => run('forge.lists.newMail', { kind: 'list', connectionKey, ref: list })),
		follow: followLink(
			context,
			connectionKey,
			() =>
				webLink(context.connections, subject) ??
				webAddress(page.live.connection().instance, { kind: 'list', ref: list }),
			link.signal,
		),
	};
}

/** Pages are untrusted: accepts only mails of the page's own thread. */
function mailSubjectOf(page: OpenThread, subject: MailSubject, id: number): MailSubject {
	const { connectionKey, list } = subject;
	const mail = page.live
		.connection()
		.lists.knownThread(list, subject.id)
		?.find((each) => each.id === id);
	if (!mail) {
		throw new Error(`There is no mail ${id} in the thread`);
	}
	return { kind: 'mail', connectionKey, list, id, messageId: mail.messageId };
}
