import * as vscode from 'vscode';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { restorePage } from '../../../editor/pages/restorePage.ts';
import { ForgeError } from '../../../forge/forgeError.ts';
import { mailMeant, patchsetMeant } from '../subjects/listsMeant.ts';
import type { ListsParts, PageArea } from '../parts/listsParts.ts';
import { mailSubject, type MailSubject } from '../subjects/subjects.ts';
import type { OpenThread } from './openThread.ts';
import { rootOf } from '../subjects/rootMail.ts';
import { threadKey, threadPage } from './threadPage.ts';

/** Conversations as pages. */
export function threadPages(parts: ListsParts): PageArea {
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

	/** Moves on in the page that somebody looks at. */
	async function step(way: 'next' | 'previous'): Promise<void> {
		const front = mailSubject(parts.pages.inFront());
		const page = front && open.get(threadKey(front));
		page?.step(way);
		await Promise.resolve();
	}

	return {
		commands: {
			'forge.lists.nextMail': () => step('next'),
			'forge.lists.previousMail': () => step('previous'),
			'forge.lists.openThread': async (subject, signal) => openAt(await mailMeant(parts, subject, signal), signal),
			'forge.patchsets.openThread': async (subject, signal) => {
				const { connectionKey, ref } = await patchsetMeant(parts, subject, signal);
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
