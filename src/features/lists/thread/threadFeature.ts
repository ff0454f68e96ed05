import * as vscode from 'vscode';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { restorePage } from '../../../editor/pages/restorePage.ts';
import { ForgeError } from '../../../forge/forgeError.ts';
import { mailTarget, patchsetTarget } from '../subjects/listTargets.ts';
import type { ListsParts, PageArea } from '../parts/listsParts.ts';
import { mailSubject, type MailSubject } from '../subjects/subjects.ts';
import type { OpenMail } from '../mail/mailDocuments.ts';
import { OpenThread } from './openThread.ts';
import { rootOf } from '../subjects/rootMail.ts';
import { refText } from '../../../forge/namedRef.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { PageContent } from '../../../editor/pages/pageHost.ts';
import type { ThreadProtocol } from '../../../protocol/threadProtocol.ts';
import { threadHandlers } from './threadHandlers.ts';
import { threadTitle } from './threadHead.ts';

/** The pages of conversations. */
export interface ThreadPages extends PageArea {
	/** Opens the conversation of any of its mails, and shows that mail. */
	readonly open: OpenMail;
}

/** Conversations as pages. */
export function threadPages(parts: ListsParts): ThreadPages {
	const open = new Map<string, OpenThread>();

	/** `subject` is any mail of the conversation; the page shows it. */
	async function openAt(subject: MailSubject, signal: AbortSignal): Promise<void> {
		const connection = connectionOf(parts.connections, subject);
		const id = await withProgress(vscode.l10n.t('Opening the thread…'), signal, (working) =>
			rootOf(connection, subject, working),
		);
		const first: MailSubject =
			id === subject.id ? subject : { ...subject, id, messageId: connection.lists.knownMail(id)?.messageId };
		const key = threadKey(first);
		const target = id === subject.id ? undefined : subject.id;
		const shown = open.get(key);
		const link = parts.pages.open(
			threadPage(parts, { subject: first, target, made: (page) => open.set(key, page) }),
			'taken',
		);
		const now = open.get(key);
		if (now !== shown) {
			link.owned.add({ dispose: () => (open.get(key) === now ? open.delete(key) : undefined) });
		} else {
			shown?.live.goTo(subject.id);
		}
	}

	async function step(way: 'next' | 'previous'): Promise<void> {
		const front = mailSubject(parts.pages.inFront());
		const page = front && Array.from(open.values()).find((each) => each.holds(front));
		page?.step(way);
		await Promise.resolve();
	}

	return {
		open: openAt,
		commands: {
			'forge.lists.nextMail': () => step('next'),
			'forge.lists.previousMail': () => step('previous'),
			'forge.lists.openThread': async (subject, signal) => openAt(await mailTarget(parts, subject, signal), signal),
			'forge.patchsets.openThread': async (subject, signal) => {
				const { connectionKey, ref } = await patchsetTarget(parts, subject, signal);
				const { lists } = connectionOf(parts.connections, { connectionKey });
				const { cover, patches } = await withProgress(vscode.l10n.t('Opening the thread…'), signal, (working) =>
					lists.series(ref, working),
				);
				const mail = cover ?? patches[0];
				if (!mail) {
					throw new ForgeError({ kind: 'notFound' });
				}
				await openAt({ kind: 'mail', connectionKey, list: ref.list, id: mail.id, messageId: mail.messageId }, signal);
			},
		},
		restorePage: restorePage(mailSubject, (panel, subject) => {
			const key = threadKey(subject);
			const link = parts.pages.restore(
				panel,
				threadPage(parts, { subject, target: undefined, made: (page) => open.set(key, page) }),
			);
			const now = open.get(key);
			link.owned.add({ dispose: () => (open.get(key) === now ? open.delete(key) : undefined) });
		}),
		dispose: () => open.clear(),
	};
}

/** Request to open a thread page. */
interface ThreadWish {
	/** The first mail of the conversation. */
	readonly subject: MailSubject;
	/** Requested mail. */
	readonly target: number | undefined;
	/** Receives the new page. */
	readonly made: (page: OpenThread) => void;
}

/** One page per conversation. */
function threadKey({ connectionKey, list, id }: MailSubject): string {
	return `${connectionKey} ${refText(list)} ${id}`;
}

/** The page of one conversation. */
export function threadPage(parts: ListsParts, { subject, target, made }: ThreadWish): PageContent<ThreadProtocol> {
	const { list, id } = subject;
	const lists = parts.connections.byKey(subject.connectionKey)?.lists;
	const first = lists?.knownThread(list, id)?.find((mail) => mail.id === id) ?? lists?.knownMail(id);
	return {
		type: 'forge.thread',
		key: threadKey(subject),
		title: first ? threadTitle(first) : vscode.l10n.t('Thread in {0}', visibleLine(list.name)),
		icon: 'comment-discussion',
		subject,
		script: 'thread.js',
		styles: ['page.css', 'mailText.css', 'threadPage.css'],
		keptOpenBy: ['follow', 'reply'],
		connect(link) {
			const page = new OpenThread(parts, { subject, link, target });
			made(page);
			return { handlers: threadHandlers(page, { parts, subject, link }), start: page.live.open() };
		},
	};
}
