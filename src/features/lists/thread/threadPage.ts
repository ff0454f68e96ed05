import { listRefText } from '../../../forge/list.ts';
import type { PageContent } from '../../../editor/pages/pageHost.ts';
import type { ThreadProtocol } from '../../../protocol/threadProtocol.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { MailSubject } from '../subjects/subjects.ts';
import { OpenThread } from './openThread.ts';
import { threadHandlers } from './threadHandlers.ts';
import { threadTitle } from './threadHead.ts';

/** What a thread page is opened with. */
export interface ThreadWish {
	/** The first mail of the conversation. */
	readonly subject: MailSubject;
	/** The mail that somebody wants to see. */
	readonly target: number | undefined;
	/** Hears of the page that is made. */
	readonly made: (page: OpenThread) => void;
}

/** One page per conversation. */
export function threadKey({ connectionKey, list, id }: MailSubject): string {
	return `${connectionKey} ${listRefText(list)} ${id}`;
}

/** The page of one conversation. */
export function threadPage(parts: ListsParts, { subject, target, made }: ThreadWish): PageContent<ThreadProtocol> {
	const { list, id } = subject;
	const lists = parts.connections.byKey(subject.connectionKey)?.lists;
	const first = lists?.knownThread(list, id)?.find((mail) => mail.id === id) ?? lists?.knownMail(id);
	return {
		type: 'forge.thread',
		key: threadKey(subject),
		title: threadTitle(first),
		icon: 'comment-discussion',
		subject,
		script: 'thread.js',
		styles: ['page.css', 'mailText.css', 'threadPage.css'],
		keptOpenBy: ['follow'],
		connect(link) {
			const page = new OpenThread(parts, { subject, link, target });
			made(page);
			return { handlers: threadHandlers(page, { parts, subject, link }), start: page.live.open() };
		},
	};
}
