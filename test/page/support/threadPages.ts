import '../../support/vscodeStub.ts';
import type { ListsContext } from '../../../src/features/lists/context/listsContext.ts';
import type { MailSubject } from '../../../src/features/lists/subjects/subjects.ts';
import type { Connection } from '../../../src/store/connection.ts';
import { fakeConnections, type FakeConnections } from '../../support/fakeConnection.ts';
import { listsParts } from '../../support/fakeListsParts.ts';
import { quietProblems } from '../../support/fakeTicketsParts.ts';
import { goingOn, openInBrowser, type BrowserWish, type OpenedPage } from '../../support/pageInBrowser.ts';
import { pagesInOneBrowser } from './pagesInOneBrowser.ts';

/** Options of a thread page. */
export interface ThreadPageWish extends Partial<BrowserWish> {
	readonly connection: Connection;
	/** Number of the first mail; by default of the thread in `threadWorld`. */
	readonly id?: number;
	readonly list?: MailSubject['list'];
	/** Shared parts of several pages, for state of the host across pages. */
	readonly parts?: ListsContext;
}

/** A thread page and the accounts. */
export interface OpenedThread extends OpenedPage {
	readonly connections: FakeConnections;
}

/** Opens thread pages in the browser that all suites share, and closes each after its test. */
export function threadPages(): (wish: ThreadPageWish) => Promise<OpenedThread> {
	return pagesInOneBrowser(
		async (tabs, { connection, id = 1, list = { owner: '~alice', name: 'devel' }, ...wish }: ThreadPageWish) => {
			const { threadPage } = await import('../../../src/features/lists/thread/threadFeature.ts');
			const explain = (error: unknown): string => quietProblems.explain(error).message;
			const connections = fakeConnections(connection);
			const parts: ListsContext = { ...(wish.parts ?? listsParts(connections)), clock: goingOn };
			const subject: MailSubject = { kind: 'mail', connectionKey: connection.key, list, id, messageId: undefined };
			const page = await openInBrowser(tabs, threadPage(parts, subject), { explain, ...wish });
			return { ...page, connections };
		},
	);
}
