import '../../support/vscodeStub.ts';
import type { ListsContext } from '../../../src/features/lists/context/listsContext.ts';
import type { PatchsetSubject } from '../../../src/features/lists/subjects/subjects.ts';
import type { Connection } from '../../../src/store/connection.ts';
import { fakeConnections } from '../../support/fakeConnection.ts';
import { listsParts } from '../../support/fakeListsParts.ts';
import { quietProblems } from '../../support/fakeTicketsParts.ts';
import { goingOn, openInBrowser, type BrowserWish, type OpenedPage } from '../../support/pageInBrowser.ts';
import { pagesInOneBrowser } from './pagesInOneBrowser.ts';

/** Options of a patchset page. */
export interface PatchsetPageWish extends Partial<BrowserWish> {
	/** Replacements for parts of the page. */
	readonly changes?: Partial<ListsContext>;
	readonly connection: Connection;
	readonly ref: PatchsetSubject['ref'];
}

/** Opens patchset pages in the browser that all suites share, and closes each after its test. */
export function patchsetPages(): (wish: PatchsetPageWish) => Promise<OpenedPage> {
	return pagesInOneBrowser(async (tabs, { connection, ref, changes = {}, ...wish }: PatchsetPageWish) => {
		const { patchsetPage } = await import('../../../src/features/review/patchset/patchsetFeature.ts');
		const explain = (error: unknown): string => quietProblems.explain(error).message;
		const parts: ListsContext = { ...listsParts(fakeConnections(connection)), clock: goingOn, ...changes };
		const subject: PatchsetSubject = { kind: 'patchset', connectionKey: connection.key, ref };
		return await openInBrowser(tabs, patchsetPage(parts, subject, new AbortController().signal), {
			explain,
			...wish,
		});
	});
}
